#include "edges/api/messages/messages_api.hpp"

#include "base/number.hpp"
#include "edges/http/query.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

using limiter::Refill;
using messages::Message;
using messages::MessageChange;
using messages::NewMessage;

constexpr auto text_kind = kind::text(1, limits::message_text_chars_max);
constexpr auto tokens_kind = kind::integer(1, limits::bucket_tokens_max);
constexpr auto seconds_kind = kind::integer(1, limits::bucket_seconds_max);
constexpr auto id_kind = kind::integer(1);
constexpr std::string_view refill_names[] = {"interval", "continuous"};
auto const refill_kind = kind::choice<Refill>(refill_names);

constexpr std::string_view text_says = "the text";
constexpr std::string_view author_says = "who wrote the message";
constexpr std::string_view target_says = "the user to whom the message may be sent";
constexpr std::string_view active_says =
    "whether the message may be selected; true if absent in a new message";
constexpr std::string_view rule_says = "how often the message may be sent";
constexpr std::string_view tokens_says = "how many times the message may be sent";
constexpr std::string_view seconds_says = "in this many seconds";
constexpr std::string_view refill_says =
    "interval (the default): all tokens come back when the seconds have passed since the first token was "
    "taken; continuous: the tokens come back one after the other";

ObjectSchema<limiter::Rule> rule_schema() {
  return ObjectSchema<limiter::Rule>()
      .required("tokens", tokens_kind, &limiter::Rule::tokens, tokens_says)
      .required("seconds", seconds_kind, &limiter::Rule::seconds, seconds_says)
      .optional("refill", refill_kind, &limiter::Rule::refill, refill_says);
}

ObjectSchema<NewMessage> message_schema() {
  return ObjectSchema<NewMessage>()
      .required("text", text_kind, &NewMessage::text, text_says)
      .required("author_id", kind::user_id, &NewMessage::author, author_says)
      .required("target_id", kind::user_id, &NewMessage::target, target_says)
      .optional("active", kind::boolean, &NewMessage::active, active_says)
      .required("rule", kind::object(rule_schema()), &NewMessage::rule, rule_says);
}

struct RuleChange {
  std::optional<std::int64_t> tokens;
  std::optional<std::int64_t> seconds;
  std::optional<Refill> refill;
};

struct ChangedMessage {
  std::int64_t id = 0;
  MessageChange change;
  RuleChange rule;
};

ObjectSchema<RuleChange> rule_change_schema() {
  return ObjectSchema<RuleChange>()
      .optional("tokens", tokens_kind, &RuleChange::tokens, tokens_says)
      .optional("seconds", seconds_kind, &RuleChange::seconds, seconds_says)
      .optional("refill", refill_kind, &RuleChange::refill, refill_says);
}

template <class M>
auto in_change(M MessageChange::* member) {
  return [member](ChangedMessage& message) -> auto& { return message.change.*member; };
}

Schema<ChangedMessage> change_schema() {
  return Schema<ChangedMessage>()
      .path("id", id_kind, &ChangedMessage::id, "the id of the message")
      .body(ObjectSchema<ChangedMessage>()
                .optional("text", text_kind, in_change(&MessageChange::text), text_says)
                .optional("author_id", kind::user_id, in_change(&MessageChange::author), author_says)
                .optional("target_id", kind::user_id, in_change(&MessageChange::target), target_says)
                .optional("active", kind::boolean, in_change(&MessageChange::active), active_says)
                .optional("rule", kind::object(rule_change_schema()), &ChangedMessage::rule, rule_says));
}

struct OneMessage {
  std::int64_t id = 0;
};

Schema<OneMessage> one_message() {
  return Schema<OneMessage>().path("id", id_kind, &OneMessage::id, "the id of the message");
}

struct ForUser {
  UserId user;
};

struct History {
  UserId user;
  std::optional<std::string> position;
  std::int64_t limit = 0;
};

// A score of the history: digits with decimals.
bool is_position(std::string_view text) {
  return !text.empty() && text.size() <= 32 &&
         text.find_first_not_of("0123456789.") == std::string_view::npos &&
         std::ranges::count(text, '.') <= 1 && text.front() != '.' && text.back() != '.';
}

Schema<History> history_schema() {
  return Schema<History>()
      .path("user_id", kind::user_id, &History::user, "the user")
      .page(&History::limit, [](std::string const& cursor, History& history) {
        history.position = cursor;
        return is_position(cursor);
      });
}

Schema<messages::MessageQuery> list_schema() {
  return Schema<messages::MessageQuery>()
      .optional_query("target_id", kind::user_id, &messages::MessageQuery::target,
                      "only messages for this user")
      .page(&messages::MessageQuery::limit, [](std::string const& cursor, messages::MessageQuery& query) {
        query.after = parse_int(cursor).value_or(0);
        return query.after >= 1;
      });
}

// Writes the JSON by hand: selections are frequent, and only the text needs escaping.
void append_message(std::string& out, Message const& message) {
  fmt::format_to(std::back_inserter(out), R"({{"id":"{}","text":)", message.id);
  append_json_string(out, message.text);
  fmt::format_to(std::back_inserter(out),
                 R"(,"author_id":"{}","target_id":"{}","active":{},)"
                 R"("rule":{{"tokens":{},"seconds":{},"refill":"{}"}},"created_at":"{}","changed_at":"{}"}})",
                 message.author.str(), message.target.str(), message.active, message.rule.tokens,
                 message.rule.seconds, refill_names[std::size_t(message.rule.refill)],
                 to_rfc3339(message.created_at), to_rfc3339(message.changed_at));
}

Response message_response(Message const& message, int status = 200) {
  Response response{.status = status};
  append_message(response.body, message);
  return response;
}

Answering post_message(messages::Messages& messages, NewMessage message) {
  CO_TRY(auto const made, co_await messages.create(std::move(message)));
  co_return message_response(*made, 201);
}

Answering get_messages(messages::Messages& messages, messages::MessageQuery query) {
  auto const limit = query.limit;
  co_return page_response(co_await messages.list(std::move(query)), limit, append_message,
                          [](Message const& message) { return fmt::to_string(message.id); });
}

Answering get_message(messages::Messages& messages, OneMessage one) {
  CO_TRY(auto const message, co_await messages.find(one.id));
  co_return message_response(*message);
}

Answering patch_message(messages::Messages& messages, ChangedMessage changed) {
  changed.change.tokens = changed.rule.tokens;
  changed.change.seconds = changed.rule.seconds;
  changed.change.refill = changed.rule.refill;
  CO_TRY(auto const message, co_await messages.change(changed.id, std::move(changed.change)));
  co_return message_response(*message);
}

Answering delete_message(messages::Messages& messages, OneMessage one) {
  CO_TRY([[maybe_unused]] auto const message, co_await messages.remove(one.id));
  co_return no_content();
}

Answering post_select(messages::Messages& messages, ForUser to) {
  auto const selection = co_await messages.select(std::move(to.user));
  if (!selection.message) {
    json::value retry_at = nullptr;
    if (selection.retry_at) retry_at = to_rfc3339(*selection.retry_at);
    co_return json_response({{"message", nullptr}, {"retry_at", std::move(retry_at)}});
  }
  Response response{.body = R"({"message":)"};
  append_message(response.body, *selection.message);
  fmt::format_to(std::back_inserter(response.body), R"(,"tokens_left":{},"sent_at":"{}","roll":)",
                 selection.tokens_left, to_rfc3339(selection.sent.at));
  if (auto const& draw = selection.draw) {
    fmt::format_to(std::back_inserter(response.body), R"({{"seed":{},"values":[{}],"among":{}}})", draw->seed,
                   draw->index, draw->among);
  } else {
    response.body += "null";
  }
  response.body += '}';
  co_return response;
}

Answering get_history(messages::Messages& messages, History asked) {
  auto const sent = co_await messages.history(std::move(asked.user), std::move(asked.position), asked.limit);
  co_return page_response(
      sent, asked.limit,
      [](std::string& out, messages::Sent const& item) {
        fmt::format_to(std::back_inserter(out), R"({{"message_id":"{}","sent_at":"{}"}})", item.message,
                       to_rfc3339(item.at));
      },
      [](messages::Sent const& item) { return item.position; });
}

std::vector<Field> message_fields() {
  std::vector<Field> fields{required("id", type::text(), "the id of the message, in digits")};
  for (auto const& field : message_schema().fields()) fields.push_back(field);
  for (auto& field : fields) field.required = true;
  fields.push_back(required("created_at", type::time, "when the message was created"));
  fields.push_back(required("changed_at", type::time, "when the message was last changed"));
  return fields;
}

}  // namespace

std::span<Route const> messages_routes() {
  namespace errors = messages::errors;
  static Route const routes[] = {
      {Method::post,
       "/v1/messages",
       Scope::messages,
       handle(Schema<NewMessage>().body(message_schema()), &post_message),
       {.id = "create_message",
        .summary = "Creates a message for a user",
        .status = 201,
        .answer = message_fields(),
        .answer_name = "Message"}},
      {Method::get,
       "/v1/messages",
       Scope::messages,
       handle(list_schema(), &get_messages),
       {.id = "list_messages",
        .summary = "Lists messages, oldest first",
        .answer = message_fields(),
        .answer_name = "Message"}},
      {Method::get,
       "/v1/messages/{id}",
       Scope::messages,
       handle(one_message(), &get_message),
       {.id = "get_message",
        .summary = "Shows a message",
        .answer = message_fields(),
        .answer_name = "Message",
        .refusals = {errors::message_not_found}}},
      {Method::patch,
       "/v1/messages/{id}",
       Scope::messages,
       handle(change_schema(), &patch_message),
       {.id = "change_message",
        .summary = "Changes a message",
        .description = "Absent fields stay as they are. An inactive message keeps its place in the history "
                       "and its remaining tokens.",
        .answer = message_fields(),
        .answer_name = "Message",
        .refusals = {errors::message_not_found}}},
      {Method::delete_,
       "/v1/messages/{id}",
       Scope::messages,
       handle(one_message(), &delete_message),
       {.id = "delete_message",
        .summary = "Deletes a message, its place in the history and its tokens",
        .status = 204,
        .refusals = {errors::message_not_found}}},
      {Method::post,
       "/v1/messages/select",
       Scope::messages,
       handle(Schema<ForUser>().body(
                  ObjectSchema<ForUser>().required("user_id", kind::user_id, &ForUser::user, "the user")),
              &post_select),
       {.id = "select_message",
        .summary = "Selects the message to send to a user now, and counts it as sent",
        .description =
            "Only active messages that their rule allows now are considered. If some of them were never "
            "sent, one of those is drawn; otherwise the least recently sent one is selected. If there is "
            "none, the message is null, and the answer has the earliest moment when there will be one.",
        .answer = {required("message", type::object(message_fields()).named("Message").or_null(),
                            "the selected message; null: send nothing now"),
                   optional("tokens_left", type::integer(0, tokens_kind.rule.max),
                            "how many more times the message may be sent before its rule makes it wait"),
                   optional("sent_at", type::time, "the time in the history"),
                   optional("roll",
                            type::object(
                                {required("seed", type::integer(0), "the seed of the draw"),
                                 required("values", type::array(type::integer(0)),
                                          "the number that was drawn, from 0, among the messages that were "
                                          "never sent, with their ids sorted as texts"),
                                 required("among", type::integer(1), "how many messages were never sent")})
                                .or_null(),
                            "the draw; null: nothing was drawn"),
                   optional("retry_at", type::time.or_null(),
                            "if no message was selected: when there will be one; null: the user has no "
                            "active message")}}},
      {Method::get,
       "/v1/messages/users/{user_id}/history",
       Scope::messages,
       handle(history_schema(), &get_history),
       {.id = "get_message_history",
        .summary = "Lists when each message was last sent to a user, newest first",
        .answer = {required("message_id", type::text(), "the id of the message, in digits"),
                   required("sent_at", type::time, "when the message was last sent")}}},
  };
  return routes;
}

}  // namespace larder::api
