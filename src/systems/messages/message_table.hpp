// Messages in SQL, which is where they live; Redis only has what selecting needs.
//
// Every change happens under one counter (message_clock): its transactions come one after the other, in the
// order of the versions they give, so whoever has seen a version has seen everything before it.
#pragma once

#include "base/task.hpp"
#include "stores/sql/database.hpp"
#include "systems/messages/message_types.hpp"

namespace larder::messages {

// That something about a user's messages is different from `version` on; `before` is when it last was, 0 if
// never.
struct UserVersion {
  UserId user;
  std::int64_t before = 0;
  std::int64_t version = 0;
};

// A message as it is now, and as it was.
struct Changed {
  std::optional<Message> was = {};
  std::optional<Message> is = {};
  std::vector<UserVersion> users = {};  // the target, and the former one if there is another now
};

// Thread-safe, as sql::Database is.
class MessageTable {
 public:
  explicit MessageTable(sql::Database& sql) : sql_(sql) {}

  // Blocking, before anything else.
  void migrate_now();

  Task<Changed> create(NewMessage message, TimeMs now);
  // Without users if nothing is different.
  Task<Result<Changed>> change(MessageId id, MessageChange change, TimeMs now);
  Task<Result<Changed>> remove(MessageId id, TimeMs now);

  Task<std::optional<Message>> find(MessageId id);
  // By their ids.
  Task<std::vector<Message>> list(MessageQuery query);

  // The version of a user's messages; 0 if there never was one.
  Task<std::int64_t> version_of(UserId user);
  // That of the latest change.
  Task<std::int64_t> newest_version();
  // Up to `limit` users whose version is above `after` and at most `last`, in this order.
  Task<std::vector<UserVersion>> changed_users(std::int64_t after, std::int64_t last, std::int64_t limit);
  // Keeps nothing of a user without messages, if that is still the version.
  Task<void> forget_user(UserVersion user);

 private:
  sql::Database& sql_;
};

}  // namespace larder::messages
