// The index in Redis from which a user's messages are selected. See index_keys.hpp.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/messages/index_keys.hpp"
#include "systems/messages/message_table.hpp"
#include "systems/messages/messages_scripts.hpp"

#include <variant>

namespace larder::messages {

struct Selected {
  MessageId id = 0;
  std::int64_t version = 0;
  std::int64_t tokens_left = 0;
  Sent sent = {};
  std::optional<Draw> draw = {};
};
struct NoneReady {
  std::optional<TimeMs> retry_at = {};
};
struct NoIndex {};

// Thread-compatible: one per io thread. Throws StoreError when a store is unavailable.
class MessageIndex {
 public:
  // If another builder of an index makes no progress for `dead_after`, this object takes over.
  MessageIndex(redis::Redis& redis, MessageTable& table, Clock const& clock,
               std::chrono::milliseconds dead_after)
      : redis_(redis), table_(table), clock_(clock), dead_after_(dead_after) {}

  // One script selects the message, takes its token and records it in the history.
  Task<std::variant<Selected, NoneReady, NoIndex>> select(UserId user, std::uint32_t seed);

  // Applies a change to the index. If the index has missed other changes, rebuilds it from SQL.
  Task<void> apply(Changed const& changed);
  // For changes that their writer did not apply, because it died or because Redis was unavailable. Returns
  // true if the index now has this version or a later one, or if the user has no index. Returns false if
  // somebody else is building the index now.
  Task<bool> catch_up(UserVersion user);
  // Builds the index if the user has none.
  Task<void> build(UserId user);
  // Builds the index again, whatever version it has.
  Task<void> remake(UserId user);

  // Newest first. With `before`, only what is older than that position.
  Task<std::vector<Sent>> history(UserId user, std::optional<std::string> before, std::int64_t limit);

 private:
  std::int64_t distinct_us(TimeMs now);

  // If the index does not have the version `before`, changes nothing and returns the version that it has.
  Task<std::optional<std::string>> put(IndexKeys const& keys, std::string const& before,
                                       std::string const& version, std::vector<IndexEntry> const& entries);
  // Returns 'begun', 'done', or the mark of another builder.
  Task<std::string> begin(IndexKeys const& keys, scripts::Beginning const& beginning);
  // Builds the index again, unless it has `version` or a later one. Waits while another builder works on it.
  Task<void> rebuild(UserId user, std::int64_t version);
  Task<bool> fill(UserId const& user, std::string mark);
  Task<bool> fill_in(UserId const& user, std::string& mark);
  Task<bool> drop_gone(IndexKeys const& keys, std::string& mark, std::vector<MessageId> const& known);

  redis::Redis& redis_;
  MessageTable& table_;
  Clock const& clock_;
  std::chrono::milliseconds dead_after_;
  TimeMs last_now_;
  std::int64_t in_this_ms_ = 0;
};

}  // namespace larder::messages
