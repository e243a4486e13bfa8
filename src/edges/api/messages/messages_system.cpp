#include "edges/api/messages/messages_system.hpp"

#include "edges/api/messages/messages_api.hpp"
#include "systems/messages/messages_privacy.hpp"

namespace larder::api {

void MessagesSystem::migrate(sql::Database& sql) { messages::MessageTable(sql).migrate_now(); }

Task<void> MessagesSystem::load(Process const& process) {
  background_ = std::make_unique<messages::Background>(process.io, process.redis, process.sql, process.clock,
                                                       process.metrics);
  co_return;
}

SearchOf MessagesSystem::search(IoThread const& /*thread*/, Part const& part) {
  return messages_search(part.as<messages::Messages>());
}

Api MessagesSystem::api() const {
  return {.tables = {messages_routes()},
          .tags = {{"messages", "Which message to send to a user next, and how often"}}};
}

Part MessagesSystem::part(IoThread const& thread) {
  return Part(std::make_shared<messages::Messages>(thread.redis, background_->shared()));
}

Task<void> MessagesSystem::export_user(UserStores const& at, UserId user, privacy::ExportTo to) {
  co_await messages::export_user(at.redis, at.sql, at.clock, std::move(user), std::move(to));
}

Task<std::string> MessagesSystem::forget_user(UserStores const& at, privacy::Subject subject) {
  co_await messages::forget_user(at.redis, at.sql, at.clock, std::move(subject.user));
  co_return std::string();
}

Task<void> MessagesSystem::start() {
  background_->start();
  co_return;
}

std::vector<std::string_view> MessagesSystem::event_types() const {
  return {"created", "changed", "deleted", "selected"};
}

}  // namespace larder::api
