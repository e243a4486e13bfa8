// The index from which a user's messages are selected, in Redis. See index_keys.hpp.
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

// Thread-compatible: one per io thread. Throws StoreError when a store is away.
class MessageIndex {
 public:
  // An attempt to make an index that makes no progress for `dead_after` is taken over.
  MessageIndex(redis::Redis& redis, MessageTable& table, Clock const& clock,
               std::chrono::milliseconds dead_after)
      : redis_(redis), table_(table), clock_(clock), dead_after_(dead_after) {}

  // One script: the choice, its token and its place in the history.
  Task<std::variant<Selected, NoneReady, NoIndex>> select(UserId user, std::uint32_t seed);

  // Tells the index of a change; if it has missed others, it is brought up to date from SQL.
  Task<void> apply(Changed const& changed);
  // For what a writer did not live to apply: whether the index has this version or a later one, or there is
  // none. False: somebody else makes it at the moment.
  Task<bool> catch_up(UserVersion user);
  // Makes the index if there is none.
  Task<void> build(UserId user);
  // Makes it anew, whatever version it says it has.
  Task<void> remake(UserId user);

  // Newest first, behind the position of an earlier one.
  Task<std::vector<Sent>> history(UserId user, std::optional<std::string> before, std::int64_t limit);

 private:
  std::int64_t distinct_us(TimeMs now);

  // The version that the index has instead of `before`; nothing is changed then.
  Task<std::optional<std::string>> put(IndexKeys const& keys, std::string const& before,
                                       std::string const& version, std::vector<IndexEntry> const& entries);
  // 'begun', 'done', or the mark of somebody else.
  Task<std::string> begin(IndexKeys const& keys, scripts::Beginning const& beginning);
  // Makes the index anew, unless it has `version` or a later one; waits while somebody else does.
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
