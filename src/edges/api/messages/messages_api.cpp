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

constexpr TextRule text_rule{.chars_min = 1, .chars_max = limits::message_text_chars_max};
constexpr IntRule tokens_rule{.min = 1, .max = limits::bucket_tokens_max};
constexpr IntRule seconds_rule{.min = 1, .max = limits::bucket_seconds_max};
constexpr IntRule id_rule{.min = 1, .max = limits::amount_max};
constexpr std::string_view refill_names[] = {"interval", "continuous"};

std::optional<Refill> read_refill(ObjectReader& in) {
  auto const refill = in.optional_choice("refill", refill_names);
  return refill ? std::optional(Refill(*refill)) : std::nullopt;
}

Result<limiter::Rule> read_rule(json::value const& value) {
  ObjectReader in(value, "rule");
  limiter::Rule const rule{.tokens = in.required_int("tokens", tokens_rule),
                           .seconds = in.required_int("seconds", seconds_rule),
                           .refill = read_refill(in).value_or(Refill::interval)};
  if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
  return rule;
}

Result<NewMessage> read_message(Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) return std::unexpected(body.error());
  ObjectReader in(*body);
  NewMessage message{.text = in.required_text("text", text_rule),
                     .author = in.required<UserId>("author_id"),
                     .target = in.required<UserId>("target_id"),
                     .active = in.optional<bool>("active").value_or(true),
                     .rule = {}};
  auto const* const rule_value = in.required_value("rule");
  if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
  auto const rule = read_rule(*rule_value);
  if (!rule) return std::unexpected(rule.error());
  message.rule = *rule;
  return message;
}

Result<MessageChange> read_change(Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) return std::unexpected(body.error());
  ObjectReader in(*body);
  MessageChange change{.text = in.optional_text("text", text_rule),
                       .author = in.optional<UserId>("author_id"),
                       .target = in.optional<UserId>("target_id"),
                       .active = in.optional<bool>("active")};
  auto const* const rule_value = in.optional_value("rule");
  if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
  if (!rule_value) return change;
  ObjectReader rule(*rule_value, "rule");
  change.tokens = rule.optional_int("tokens", tokens_rule);
  change.seconds = rule.optional_int("seconds", seconds_rule);
  change.refill = read_refill(rule);
  if (auto problem = rule.finish()) return std::unexpected(std::move(*problem));
  return change;
}

// By hand: a selection is asked for often, and only the text needs escaping.
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

Answering post_message(messages::Messages& messages, Request const& request) {
  auto message = read_message(request);
  if (!message) co_return std::unexpected(message.error());
  auto const made = co_await messages.create(std::move(*message));
  if (!made) co_return std::unexpected(made.error());
  co_return message_response(**made, 201);
}

Answering get_messages(messages::Messages& messages, Request const& request) {
  QueryReader in(request);
  messages::MessageQuery query{.target = in.optional<UserId>("target_id")};
  auto const page = in.page();
  if (page.cursor) {
    query.after = parse_int(*page.cursor).value_or(0);
    if (query.after < 1) in.problem("cursor", "must be a next_cursor of an earlier answer");
  }
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  query.limit = page.limit + 1;  // one more tells whether there is a next page
  auto const found = co_await messages.list(std::move(query));
  Response response{.body = R"({"items":[)"};
  auto const count = std::min(found.size(), std::size_t(page.limit));
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) response.body += ',';
    append_message(response.body, found[i]);
  }
  response.body += found.size() > count ? fmt::format(R"(],"next_cursor":"{}"}})", found[count - 1].id)
                                        : R"(],"next_cursor":null})";
  co_return response;
}

Answering get_message(messages::Messages& messages, Request const& request) {
  QueryReader in(request);
  auto const id = in.path_int("id", id_rule);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const message = co_await messages.find(id);
  if (!message) co_return std::unexpected(message.error());
  co_return message_response(**message);
}

Answering patch_message(messages::Messages& messages, Request const& request) {
  QueryReader in(request);
  auto const id = in.path_int("id", id_rule);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto change = read_change(request);
  if (!change) co_return std::unexpected(change.error());
  auto const message = co_await messages.change(id, std::move(*change));
  if (!message) co_return std::unexpected(message.error());
  co_return message_response(**message);
}

Answering delete_message(messages::Messages& messages, Request const& request) {
  QueryReader in(request);
  auto const id = in.path_int("id", id_rule);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const message = co_await messages.remove(id);
  if (!message) co_return std::unexpected(message.error());
  co_return no_content();
}

Answering post_select(messages::Messages& messages, Request const& request) {
  auto const body = parse_json(request.body);
  if (!body) co_return std::unexpected(body.error());
  ObjectReader in(*body);
  auto user = in.required<UserId>("user_id");
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const selection = co_await messages.select(std::move(user));
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

// A score of the history: digits with decimals.
std::optional<std::string> read_position(QueryReader& in, Page const& page) {
  if (!page.cursor) return std::nullopt;
  auto const& text = *page.cursor;
  bool const sane = !text.empty() && text.size() <= 32 &&
                    text.find_first_not_of("0123456789.") == std::string::npos &&
                    std::ranges::count(text, '.') <= 1 && text.front() != '.' && text.back() != '.';
  if (!sane) in.problem("cursor", "must be a next_cursor of an earlier answer");
  return text;
}

Answering get_history(messages::Messages& messages, Request const& request) {
  QueryReader in(request);
  auto user = in.path<UserId>("user_id");
  auto const page = in.page();
  auto position = read_position(in, page);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const sent = co_await messages.history(std::move(user), std::move(position), page.limit + 1);
  json::array items;
  std::optional<std::string> next;
  for (auto const& item : sent) {
    if (std::int64_t(items.size()) == page.limit) {
      next = sent[items.size() - 1].position;
      break;
    }
    items.push_back({{"message_id", fmt::to_string(item.message)}, {"sent_at", to_rfc3339(item.at)}});
  }
  co_return page_response(std::move(items), next);
}

std::vector<Field> rule_fields(Field (*presence)(std::string_view, FieldType, std::string_view)) {
  return {presence("tokens", type::integer(tokens_rule.min, tokens_rule.max), "how often it may be sent"),
          presence("seconds", type::integer(seconds_rule.min, seconds_rule.max), "in so many seconds"),
          optional("refill", type::choice({"interval", "continuous"}),
                   "interval, as if absent: all tokens come back when the seconds are over since the first "
                   "was taken; continuous: one after the other")};
}

std::vector<Field> body_fields(Field (*presence)(std::string_view, FieldType, std::string_view)) {
  return {presence("text", type::text(text_rule.chars_min, text_rule.chars_max), "what is said"),
          presence("author_id", type::user_id, "who wrote it"),
          presence("target_id", type::user_id, "to whom it may be said"),
          optional("active", type::boolean, "whether it may be selected; true if absent at first"),
          presence("rule", type::object(rule_fields(presence)), "how often it may be said")};
}

std::vector<Field> message_fields() {
  std::vector<Field> fields{required("id", type::text(), "digits")};
  for (auto& field : body_fields(&required)) fields.push_back(std::move(field));
  for (auto& field : fields) field.required = true;
  fields.push_back(required("created_at", type::time, "when it was made"));
  fields.push_back(required("changed_at", type::time, "when it was last changed"));
  return fields;
}

Field const id_field = required("id", type::integer(id_rule.min, id_rule.max), "of the message");

}  // namespace

std::span<Route const> messages_routes() {
  namespace errors = messages::errors;
  static Route const routes[] = {
      {Method::post,
       "/v1/messages",
       Scope::messages,
       &post_message,
       {.id = "create_message",
        .summary = "Makes a message that may be said to a user",
        .body = body_fields(&required),
        .status = 201,
        .answer = message_fields()}},
      {Method::get,
       "/v1/messages",
       Scope::messages,
       &get_messages,
       {.id = "list_messages",
        .summary = "Lists messages, the oldest first",
        .query = {optional("target_id", type::user_id, "only those for this user")},
        .answer = message_fields(),
        .list = true}},
      {Method::get,
       "/v1/messages/{id}",
       Scope::messages,
       &get_message,
       {.id = "get_message",
        .summary = "Shows a message",
        .path = {id_field},
        .answer = message_fields(),
        .refusals = {errors::message_not_found}}},
      {Method::patch,
       "/v1/messages/{id}",
       Scope::messages,
       &patch_message,
       {.id = "change_message",
        .summary = "Changes a message",
        .description = "What is not given stays. A message that is not active keeps its place in the history "
                       "and what is left of its tokens.",
        .path = {id_field},
        .body = body_fields(&optional),
        .answer = message_fields(),
        .refusals = {errors::message_not_found}}},
      {Method::delete_,
       "/v1/messages/{id}",
       Scope::messages,
       &delete_message,
       {.id = "delete_message",
        .summary = "Deletes a message, its place in the history and its tokens",
        .path = {id_field},
        .status = 204,
        .refusals = {errors::message_not_found}}},
      {Method::post,
       "/v1/messages/select",
       Scope::messages,
       &post_select,
       {.id = "select_message",
        .summary = "Selects what to say to a user now, and counts it as said",
        .description = "One that was never sent, drawn by chance; otherwise the one that was sent least "
                       "recently; in any case one that its rule allows. Without such a message: null, and "
                       "the earliest moment at which there will be one.",
        .body = {required("user_id", type::user_id, "to whom")},
        .answer = {required("message", type::object(message_fields()).or_null(), "null: say nothing now"),
                   optional("tokens_left", type::integer(0, tokens_rule.max),
                            "how often it may be sent before its rule makes it wait"),
                   optional("sent_at", type::time, "as the history has it"),
                   optional("roll",
                            type::object({required("seed", type::integer(0), "of this draw"),
                                          required("values", type::array(type::integer(0)),
                                                   "which of those that were never sent, from 0, their "
                                                   "ids sorted as texts"),
                                          required("among", type::integer(1), "how many those were")})
                                .or_null(),
                            "null: nothing was drawn"),
                   optional("retry_at", type::time.or_null(),
                            "without a message: when there will be one; null: there is none at all")}}},
      {Method::get,
       "/v1/messages/users/{user_id}/history",
       Scope::messages,
       &get_history,
       {.id = "get_message_history",
        .summary = "When each message was last sent to a user, the last one first",
        .path = {required("user_id", type::user_id, "to whom")},
        .answer = {required("message_id", type::text(), "digits"),
                   required("sent_at", type::time, "the last time")},
        .list = true}},
  };
  return routes;
}

}  // namespace larder::api
