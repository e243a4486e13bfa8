#include "systems/messages/messages_privacy.hpp"

#include "kit/events/privacy/traces.hpp"

namespace larder::messages {

namespace {

constexpr std::int64_t read_at_once = 500;
constexpr auto builder_dead_after = std::chrono::milliseconds(2000);

// Gives each message to the user or by the user to `each`.
Task<void> each_of_user(MessageTable& table, UserId user, std::function<Task<void>(Message)> each) {
  for (MessageId last = 0;;) {
    auto const page = co_await table.list({.after = last, .limit = read_at_once});
    if (page.empty()) co_return;
    for (auto const& message : page) {
      if (message.author == user || message.target == user) co_await each(message);
    }
    last = page.back().id;
  }
}

json::object message_json(Message const& message) {
  return {{"id", message.id},
          {"text", message.text},
          {"author_id", message.author.str()},
          {"target_id", message.target.str()},
          {"active", message.active},
          {"tokens", message.rule.tokens},
          {"seconds", message.rule.seconds},
          {"created_at", to_rfc3339(message.created_at)},
          {"changed_at", to_rfc3339(message.changed_at)}};
}

}  // namespace

Task<void> export_user(redis::Redis& redis, sql::Database& sql, Clock const& clock, UserId user,
                       privacy::ExportTo to) {
  MessageTable table(sql);
  co_await each_of_user(table, user, [&](Message message) -> Task<void> {
    to("messages", message_json(message));
    co_return;
  });
  MessageIndex index(redis, table, clock, builder_dead_after);
  std::optional<std::string> before;
  for (;;) {
    auto const page = co_await index.history(user, before, read_at_once);
    for (auto const& sent : page) to("history", {{"message", sent.message}, {"at", to_rfc3339(sent.at)}});
    if (page.empty()) co_return;
    before = page.back().position;
  }
}

Task<void> forget_user(redis::Redis& redis, sql::Database& sql, Clock const& clock, UserId user) {
  MessageTable table(sql);
  MessageIndex index(redis, table, clock, builder_dead_after);
  co_await each_of_user(table, user, [&](Message message) -> Task<void> {
    auto const changed = co_await table.remove(message.id, clock.now());
    if (changed) co_await index.apply(*changed);  // a server that dies here leaves it to the others
  });
  IndexKeys const keys(user);
  co_await redis.command(redis::Use::idempotent_write, keys.history,
                         {"UNLINK", keys.history, keys.line, keys.waiting, keys.index});
  co_await privacy::unlink_matching(redis, keys.history + ":*");
  auto const version = co_await table.version_of(user);
  if (version > 0) co_await table.forget_user({.user = user, .before = 0, .version = version});
}

}  // namespace larder::messages
