// Exports and forgets a user of the messages.
//
// Messages to the user and by the user are deleted, with their history and buckets, and so is what Redis has
// of the user.
#pragma once

#include "kit/events/privacy/subject.hpp"
#include "systems/messages/message_index.hpp"

namespace larder::messages {

// Sections: messages (to the user and by the user), history.
Task<void> export_user(redis::Redis& redis, sql::Database& sql, Clock const& clock, UserId user,
                       privacy::ExportTo to);

// May be repeated, also after it was cut off at any point. Reads all messages.
Task<void> forget_user(redis::Redis& redis, sql::Database& sql, Clock const& clock, UserId user);

}  // namespace larder::messages
