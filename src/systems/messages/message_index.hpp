// What selecting needs of a user's messages, in Redis. h is a hash of the user's id, so everything of a user
// lies in one slot:
//
//   {h}            history: message -> epoch seconds at which it was last sent
//   {h}:<message>:last_reset, {h}:<message>:tokens     its bucket (kit/limiter)
//
// and the index, which can be built from these and from SQL at any time:
//
//   {h}:line       active messages that may be sent -> epoch microseconds of the last time, 0 if never
//   {h}:waiting    active messages without a token -> the moment at which they get one, in ms
//   {h}:index      active message -> "tokens period_ms continuous version"; and `version`: that of the user's
//                  messages (message_table.hpp) which it has, or "building ..." while it is made
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "systems/messages/message_table.hpp"

#include <variant>

namespace larder::messages {

struct IndexKeys {
  explicit IndexKeys(UserId const& user);
  std::string history;
  std::string line, waiting, index;
  std::string last_reset(MessageId id) const;
  std::string tokens(MessageId id) const;
};

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
  enum class State { active, inactive, gone };
  struct Entry {
    MessageId id = 0;
    State state = State::gone;
    Message const* message = nullptr;
  };
  static Entry entry_of(Message const& message);
  std::int64_t distinct_us(TimeMs now);

  // The version that the index has instead of `before`; nothing is changed then.
  Task<std::optional<std::string>> put(IndexKeys const& keys, std::string before, std::string version,
                                       std::vector<Entry> const& entries);
  // 'begun', 'done', or the mark of somebody else.
  Task<std::string> begin(IndexKeys const& keys, std::int64_t version, std::string const& mark,
                          std::string const& dead_mark, bool where_none);
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
