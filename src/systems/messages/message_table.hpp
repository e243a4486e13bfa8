// The messages in SQL. SQL owns them; Redis only has what a selection needs.
//
// Every change increments one counter, message_clock, in its transaction. So the transactions run one after
// the other, in the order of their versions: a reader that has seen a version has seen all changes before it.
#pragma once

#include "base/task.hpp"
#include "stores/sql/database.hpp"
#include "systems/messages/message_types.hpp"

namespace larder::messages {

// A user whose messages changed with `version`. `before` is the version of the user's previous
// change; 0 if there was none.
struct UserVersion {
  UserId user;
  std::int64_t before = 0;
  std::int64_t version = 0;
};

// A message after a change (`is`) and before it (`was`).
struct Changed {
  std::optional<Message> was = {};
  std::optional<Message> is = {};
  std::vector<UserVersion> users = {};  // the target; if the change moved the message, also the former target
};

// Thread-safe, like sql::Database.
class MessageTable {
 public:
  explicit MessageTable(sql::Database& sql) : sql_(sql) {}

  // Makes the tables. Blocks. Call it before anything else.
  void migrate_now();

  Task<Changed> create(NewMessage message, TimeMs now);
  // If nothing changes, the result has no users.
  Task<Result<Changed>> change(MessageId id, MessageChange change, TimeMs now);
  Task<Result<Changed>> remove(MessageId id, TimeMs now);

  Task<std::optional<Message>> find(MessageId id);
  // Sorted by id.
  Task<std::vector<Message>> list(MessageQuery query);

  // The version of a user's messages; 0 if the user never had any.
  Task<std::int64_t> version_of(UserId user);
  // The version of the latest change.
  Task<std::int64_t> newest_version();
  // Up to `limit` users whose version is above `after` and at most `last`, sorted by version.
  Task<std::vector<UserVersion>> changed_users(std::int64_t after, std::int64_t last, std::int64_t limit);
  // Deletes the user's version if the user has no messages and this is still the version.
  Task<void> forget_user(UserVersion user);

 private:
  sql::Database& sql_;
};

}  // namespace larder::messages
