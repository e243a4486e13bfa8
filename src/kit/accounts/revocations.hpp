// Which sessions have ended before they expire: those that were logged out, and all sessions of an account
// that are older than its generation. A server keeps this in memory, so a request with a player token needs
// no store.
//
// The stream `{accounts}:revoked` has an entry for each end: {session: id}, or {user: id, generation: n}. An
// entry is kept until every session that it can concern has expired. Each server polls the stream, so all
// servers know within a second.
#pragma once

#include "kit/accounts/account_keys.hpp"
#include "kit/accounts/caller.hpp"
#include "stores/redis/redis.hpp"

#include <atomic>
#include <deque>
#include <shared_mutex>
#include <unordered_map>

namespace larder::accounts {

// Thread-safe; only one task may poll.
class Revocations {
 public:
  static constexpr std::chrono::milliseconds poll_every{300};

  explicit Revocations(Clock const& clock) : clock_(clock) {}

  // Whether this server knows that the session has ended.
  bool has_ended(std::string_view player, Session const& session) const;
  // The oldest generation of the player's sessions that may still be valid; 0 if all may.
  std::int64_t oldest_generation(std::string_view player) const;
  // Throws StoreError if the last successful poll is too old (limits::revocations_stale_ms): nobody can tell
  // which sessions have ended, so none can be trusted.
  void check_fresh() const;

  // Sessions that this server itself has ended count here at once.
  void end_session(std::string const& id);
  void end_older_sessions(std::string const& player, std::int64_t generation);

  // Reads what is new in the stream. What was read stays known even if the stream loses it. Notices a stream
  // that lost entries (a flushed or restored Redis, a failover), and reads it anew. Throws what Redis throws.
  Task<void> poll(redis::Redis& redis);

 private:
  // What is noted until `until`.
  struct Note {
    TimeMs until;
    std::string session;  // empty: the note is about a player
    std::string player;
  };
  struct Generation {
    std::int64_t oldest = 0;  // that is still valid
    TimeMs until;
  };

  void read_entry(redis::ReplyView entry);
  void forget_expired();

  Clock const& clock_;
  std::atomic<std::int64_t> fresh_at_ = 0;  // ms
  std::string last_;                        // the last id that was read; only for poll()

  mutable std::shared_mutex mutex_;  // guards everything below
  std::unordered_map<std::string, TimeMs> sessions_;
  std::unordered_map<std::string, Generation> players_;
  std::deque<Note> notes_;  // in the order in which they were made
};

}  // namespace larder::accounts
