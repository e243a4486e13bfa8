#include "systems/messages/messages.hpp"

#include "base/json.hpp"
#include "base/log.hpp"

#include <fmt/format.h>

namespace larder::messages {

namespace {

constexpr int misses_max = 3;

prometheus::Counter& selections(Metrics& metrics, std::string const& outcome) {
  return metrics.counter("larder_messages_selections_total", "Selections by what came of them",
                         {{"outcome", outcome}});
}

std::optional<Error> problem_of_rule(limiter::Rule const& rule) {
  struct Number {
    std::string_view field;
    std::int64_t value;
    std::int64_t max;
  };
  for (auto const& [field, value, max] : {Number{"rule.tokens", rule.tokens, limits::bucket_tokens_max},
                                          Number{"rule.seconds", rule.seconds, limits::bucket_seconds_max}}) {
    if (value >= 1 && value <= max) continue;
    return Error{.code = larder::errors::invalid_request,
                 .detail = fmt::format("{} must be 1 to {}", field, max),
                 .field = std::string(field)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> problem_of_text(std::string_view text) {
  bool const fits = is_utf8(text) && text.find('\0') == std::string_view::npos && !text.empty() &&
                    count_chars(text) <= limits::message_text_chars_max;
  if (fits) return std::nullopt;
  return Error{.code = larder::errors::invalid_request,
               .detail = fmt::format("text must be 1 to {} characters", limits::message_text_chars_max),
               .field = "text"};
}

Messages::Messages(redis::Redis& redis, Shared& shared)
    : shared_(shared),
      index_(redis, shared.table, shared.clock, shared.dead_after),
      random_(random_seed()),
      selected_(selections(shared.metrics, "selected")),
      refused_by_rate_(selections(shared.metrics, "refused_by_rate")),
      empty_(selections(shared.metrics, "empty")),
      seconds_(shared.metrics.seconds("larder_messages_seconds", "Time from a request to its selection")) {}

void Messages::tell(std::string_view what, UserId const& user, MessageId id, std::string more) {
  shared_.tell({.system = Scope::messages,
                .type = std::string(what),
                .user_id = user.str(),
                .at = shared_.clock.unchecked(),
                .data = fmt::format(R"({{"message_id":"{}"{}}})", id, more)});
}

// SQL already has the change. If Redis does not take it now, the background work brings it there.
Task<void> Messages::index(Changed const& changed, std::string_view what) {
  if (changed.users.empty()) co_return;
  auto const& message = changed.is ? *changed.is : *changed.was;
  for (auto const& user : changed.users) tell(what, user.user, message.id);
  try {
    co_await index_.apply(changed);
  } catch (std::exception const& error) {
    log::warn("Redis does not know of a message's change yet",
              {{"message", message.id}, {"why", error.what()}});
  }
}

Task<Result<MessagePtr>> Messages::create(NewMessage message) {
  if (auto problem = problem_of_text(message.text)) co_return std::unexpected(std::move(*problem));
  if (auto problem = problem_of_rule(message.rule)) co_return std::unexpected(std::move(*problem));
  auto const changed = co_await shared_.table.create(std::move(message), shared_.clock.now());
  co_await index(changed, "created");
  co_return std::make_shared<Message const>(*changed.is);
}

Task<Result<MessagePtr>> Messages::change(MessageId id, MessageChange change) {
  auto problem = change.text ? problem_of_text(*change.text) : std::nullopt;
  if (!problem) {
    problem = problem_of_rule({.tokens = change.tokens.value_or(1), .seconds = change.seconds.value_or(1)});
  }
  if (problem) co_return std::unexpected(std::move(*problem));
  auto const changed = co_await shared_.table.change(id, std::move(change), shared_.clock.now());
  if (!changed) co_return std::unexpected(changed.error());
  co_await index(*changed, "changed");
  co_return std::make_shared<Message const>(*changed->is);
}

Task<Result<MessagePtr>> Messages::remove(MessageId id) {
  auto const changed = co_await shared_.table.remove(id, shared_.clock.now());
  if (!changed) co_return std::unexpected(changed.error());
  co_await index(*changed, "deleted");
  co_return std::make_shared<Message const>(*changed->was);
}

Task<Result<MessagePtr>> Messages::find(MessageId id) {
  auto message = co_await shared_.table.find(id);
  if (!message) co_return refuse(errors::message_not_found, "there is no such message");
  co_return std::make_shared<Message const>(std::move(*message));
}

Task<std::vector<Message>> Messages::list(MessageQuery query) { return shared_.table.list(std::move(query)); }

// Null if the message no longer exists.
Task<MessagePtr> Messages::load(Selected const& selected) {
  if (auto message = shared_.cache.find(selected.id, selected.version)) co_return message;
  try {
    auto found = co_await shared_.table.find(selected.id);
    if (!found) co_return nullptr;
    auto message = std::make_shared<Message const>(std::move(*found));
    shared_.cache.put(message);
    co_return message;
  } catch (StoreError const& error) {
    throw StoreError(fmt::format("a message was selected, its text cannot be read: {}", error.what()), true);
  }
}

Task<Selection> Messages::select(UserId user, std::optional<std::uint32_t> seed) {
  Stopwatch const watch;
  auto const drawn = seed.value_or(std::uint32_t(random_.next() >> 33U));
  for (int misses = 0;;) {
    auto const outcome = co_await index_.select(user, drawn);
    if (std::holds_alternative<NoIndex>(outcome)) {
      co_await index_.build(user);
      continue;
    }
    seconds_.Observe(watch.seconds());
    if (auto const* const none = std::get_if<NoneReady>(&outcome)) {
      (none->retry_at ? refused_by_rate_ : empty_).Increment();
      co_return Selection{.retry_at = none->retry_at};
    }
    auto const& selected = std::get<Selected>(outcome);
    auto const message = co_await load(selected);
    // A message that is being deactivated right now was selected before that.
    if (!message || message->target != user) {
      // The writer has not brought the change to Redis yet, or died before it could, or one of the two stores
      // was restored from an older copy.
      if (++misses > misses_max) throw StoreError("what SQL and Redis have of this user differs", true);
      co_await index_.remake(user);
      continue;
    }
    selected_.Increment();
    tell("selected", user, message->id, fmt::format(R"(,"tokens_left":{})", selected.tokens_left));
    co_return Selection{.message = message,
                        .tokens_left = selected.tokens_left,
                        .sent = selected.sent,
                        .draw = selected.draw};
  }
}

Task<std::vector<Sent>> Messages::history(UserId user, std::optional<std::string> before,
                                          std::int64_t limit) {
  return index_.history(std::move(user), std::move(before), limit);
}

}  // namespace larder::messages
