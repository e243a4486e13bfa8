#include "edges/api/webhooks/webhooks_api.hpp"

#include "base/number.hpp"
#include "edges/api/event_words.hpp"
#include "kit/events/feed.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

using webhooks::Delivery;
using webhooks::DeliveryQuery;
using webhooks::NewWebhook;
using webhooks::Webhook;
using webhooks::WebhookChange;

constexpr auto url_kind = kind::text(1, limits::webhook_url_chars_max);
constexpr auto id_text_kind = kind::text(1, limits::key_name_chars_max);
auto const state_kind = kind::choice<Delivery::State>(webhooks::delivery_states);
constexpr std::string_view url_says =
    "where events are sent: http:// or https://, without user name, password and fragment";
constexpr std::string_view systems_says = "only events of these systems; absent or null: of all";
constexpr std::string_view types_says = "only events of these types, such as add; absent or null: of all";
constexpr std::string_view realms_says =
    "only events of these realms of the economy; absent or null: all events, also those without a realm";
constexpr std::string_view webhook_id_says = "the id of the webhook";

FieldType word_list(FieldType word) {
  return type::array(std::move(word), 1, std::int64_t(limits::event_filter_values_max)).or_null();
}
FieldType systems_list() { return word_list(type::choice({system_words.begin(), system_words.end()})); }
FieldType types_list() { return word_list(type::text(1, limits::event_type_chars_max)); }
FieldType realms_list() { return word_list(type::text(1, limits::realm_chars_max)); }

// Nothing if the field is absent. Empty, which lets all through, if it is null.
std::optional<Words> read_list(ObjectReader& in, std::string_view name, bool (*is_good)(std::string_view),
                               std::string const& expectation) {
  if (!in.optional_value(name)) return in.is_null(name) ? std::optional(Words()) : std::nullopt;
  Words words;
  for (auto const& element : in.required_array(name, 1, limits::event_filter_values_max)) {
    auto const* text = element.if_string();
    if (!text || !is_good(*text)) {
      in.problem(name, fmt::format("each of {} {}", name, expectation));
      return std::nullopt;
    }
    words.emplace(*text);
  }
  return words;
}

// The three lists of a filter, which `T` has as optional members.
template <class T>
ObjectSchema<T> with_lists(ObjectSchema<T> schema, std::optional<Words>& (*systems)(T&),
                           std::optional<Words>& (*types)(T&), std::optional<Words>& (*realms)(T&)) {
  return std::move(schema)
      .field(optional("systems", systems_list(), systems_says),
             [systems](ObjectReader& in, T& out) {
               systems(out) = read_list(in, "systems", is_system_word,
                                        fmt::format("must be one of {}", fmt::join(system_words, ", ")));
             })
      .field(optional("types", types_list(), types_says),
             [types](ObjectReader& in, T& out) {
               types(out) = read_list(in, "types", is_type_word, "must be a word of A-Z a-z 0-9 _.-");
             })
      .field(optional("realms", realms_list(), realms_says), [realms](ObjectReader& in, T& out) {
        realms(out) = read_list(in, "realms", is_realm_word, realm_word_expectation());
      });
}

struct Changed {
  std::string id;
  WebhookChange change;
};

Schema<WebhookChange> new_schema() {
  using Target = WebhookChange;
  return Schema<Target>().body(with_lists<Target>(
      ObjectSchema<Target>().required(
          "url", url_kind, [](Target& out) -> auto& { return out.url.emplace(); }, url_says),
      [](Target& out) -> auto& { return out.systems; }, [](Target& out) -> auto& { return out.types; },
      [](Target& out) -> auto& { return out.realms; }));
}

Schema<Changed> change_schema() {
  return Schema<Changed>()
      .path("id", id_text_kind, &Changed::id, webhook_id_says)
      .body(with_lists<Changed>(
          ObjectSchema<Changed>().optional(
              "url", url_kind, [](Changed& out) -> auto& { return out.change.url; }, url_says),
          [](Changed& out) -> auto& { return out.change.systems; },
          [](Changed& out) -> auto& { return out.change.types; },
          [](Changed& out) -> auto& { return out.change.realms; }));
}

struct OneWebhook {
  std::string id;
};

Schema<OneWebhook> one_webhook() {
  return Schema<OneWebhook>().path("id", id_text_kind, &OneWebhook::id, webhook_id_says);
}

struct WebhookPage {
  std::int64_t limit = limits::page_default;
  std::string after_id;
};

Schema<WebhookPage> list_schema() {
  return Schema<WebhookPage>().page(&WebhookPage::limit, [](std::string const& cursor, WebhookPage& page) {
    page.after_id = cursor;
    return all_in_charset(cursor, "");
  });
}

struct Deliveries {
  std::string id;
  DeliveryQuery query{.below = limits::amount_max, .limit = limits::page_default};
};

Schema<Deliveries> deliveries_schema() {
  return Schema<Deliveries>()
      .path("id", id_text_kind, &Deliveries::id, webhook_id_says)
      .optional_query(
          "state", state_kind, [](Deliveries& asked) -> auto& { return asked.query.state; },
          "only deliveries in this state")
      .page([](Deliveries& asked) -> auto& { return asked.query.limit; },
            [](std::string const& cursor, Deliveries& asked) {
              asked.query.below = parse_int(cursor).value_or(0);
              return asked.query.below >= 1;
            });
}

struct OneDelivery {
  std::string id;
  std::int64_t number = 0;
};

Schema<OneDelivery> one_delivery() {
  return Schema<OneDelivery>()
      .path("id", id_text_kind, &OneDelivery::id, webhook_id_says)
      .path("n", kind::integer(1), &OneDelivery::number, "the number of the delivery");
}

json::value list_or_null(Words const& words) {
  if (words.empty()) return nullptr;
  json::array list;
  for (auto const& word : words) list.emplace_back(word);
  return list;
}

json::object to_json(Webhook const& webhook) {
  return {{"id", webhook.id},
          {"url", webhook.url},
          {"systems", list_or_null(webhook.filter.systems)},
          {"types", list_or_null(webhook.filter.types)},
          {"realms", list_or_null(webhook.filter.realms)},
          {"created_at", to_rfc3339(webhook.created_at)}};
}

void append_delivery(std::string& out, Delivery const& delivery) {
  auto const event = events::parse_line(delivery.line);
  json::object const head{
      {"n", delivery.number},
      {"state", json::value(webhooks::delivery_states[std::size_t(delivery.state)])},
      {"queued_at", to_rfc3339(delivery.queued_at)},
      {"finished_at", delivery.finished_at ? json::value(to_rfc3339(*delivery.finished_at)) : json::value()},
      {"attempts", delivery.attempts},
      {"status", delivery.status == 0 ? json::value() : json::value(delivery.status)},
      {"why", delivery.why.empty() ? json::value() : json::value(delivery.why)}};
  out += json::serialize(head);
  out.pop_back();
  out += R"(,"event":)";
  out += event ? events::to_json(*event) : "null";
  out += '}';
}

std::vector<Field> webhook_fields() {
  return {required("id", type::text(), "the id of the webhook"),
          required("url", type::text(), "where events are sent"),
          required("systems", systems_list(), "only events of these systems; null: of all"),
          required("types", types_list(), "only events of these types; null: of all"),
          required("realms", realms_list(), "only events of these realms of the economy; null: all events"),
          required("created_at", type::time, "when the webhook was created")};
}

std::vector<Field> new_webhook_fields() {
  return {required("id", type::text(), "the id of the webhook"),
          required("secret", type::text(), "the key of the signatures; it is not shown again")};
}

std::vector<Field> delivery_fields() {
  return {
      required("n", type::integer(1), "the number of the delivery: later events have greater ones"),
      required(
          "state", type::choice({std::begin(webhooks::delivery_states), std::end(webhooks::delivery_states)}),
          "waiting: it was not made yet; delivered: the receiver has accepted it; dead: it was given up"),
      required("queued_at", type::time, "when the delivery was queued"),
      required("finished_at", type::time.or_null(), "when it was made or given up; null: it waits"),
      required("attempts", type::integer(0), "how many attempts were made"),
      required("status", type::integer(100, 999).or_null(),
               "the HTTP status of the last attempt; null: there was no answer"),
      required("why", type::text().or_null(), "why the last attempt failed"),
      required("event", type::object({}).or_null(),
               "the event, as it is sent; null: only a newer version can read it")};
}

Answering post_webhook(WebhookDesk& desk, WebhookChange wanted) {
  NewWebhook webhook{.url = std::move(*wanted.url),
                     .filter = {.systems = std::move(wanted.systems).value_or(Words()),
                                .types = std::move(wanted.types).value_or(Words()),
                                .realms = std::move(wanted.realms).value_or(Words())}};
  CO_TRY_DO(check_types("types", webhook.filter.types, desk.types));
  CO_TRY(auto const made, co_await desk.webhooks.create(std::move(webhook)));
  co_return json_response({{"id", made.id}, {"secret", made.secret}}, 201);
}

Answering get_webhooks(WebhookDesk& desk, WebhookPage page) {
  auto all = co_await desk.webhooks.list();
  auto const after = std::ranges::find(all, page.after_id, &Webhook::id);
  if (after != all.end()) all.erase(all.begin(), after + 1);
  co_return page_response(
      all, page.limit, [](Webhook const& each) { return to_json(each); },
      [](Webhook const& each) { return each.id; });
}

Answering get_webhook(WebhookDesk& desk, OneWebhook one) {
  CO_TRY(auto const webhook, co_await desk.webhooks.find(std::move(one.id)));
  co_return json_response(to_json(webhook));
}

Answering patch_webhook(WebhookDesk& desk, Changed changed) {
  if (changed.change.types) CO_TRY_DO(check_types("types", *changed.change.types, desk.types));
  CO_TRY(auto const webhook, co_await desk.webhooks.change(std::move(changed.id), std::move(changed.change)));
  co_return json_response(to_json(webhook));
}

Answering delete_webhook(WebhookDesk& desk, OneWebhook one) {
  CO_TRY_DO(co_await desk.webhooks.remove(std::move(one.id)));
  co_return no_content();
}

Answering get_deliveries(WebhookDesk& desk, Deliveries asked) {
  auto const limit = asked.query.limit;
  CO_TRY(auto const found, co_await desk.webhooks.deliveries(std::move(asked.id), asked.query));
  co_return page_response(found, limit, append_delivery,
                          [](Delivery const& each) { return fmt::to_string(each.number); });
}

Answering post_replay(WebhookDesk& desk, OneDelivery one) {
  CO_TRY(auto const delivery, co_await desk.webhooks.replay(std::move(one.id), one.number));
  Response response;
  append_delivery(response.body, delivery);
  co_return response;
}

}  // namespace

std::span<Route const> webhooks_routes() {
  namespace errors = webhooks::errors;
  static Route const routes[] = {
      {Method::post,
       "/v1/webhooks",
       Scope::admin,
       handle(new_schema(), &post_webhook),
       {.id = "create_webhook",
        .summary = "Sends events to a URL from now on",
        .description =
            "Each event is sent at least once as a POST, signed with the secret, and the events of a user in "
            "their order. The host must have public addresses only, unless the setting webhooks.allow names "
            "it.",
        .status = 201,
        .answer = new_webhook_fields(),
        .answer_name = "NewWebhook",
        .refusals = {errors::address_not_allowed, errors::too_many_webhooks},
        .has_secrets = true}},
      {Method::get,
       "/v1/webhooks",
       Scope::admin,
       handle(list_schema(), &get_webhooks),
       {.id = "list_webhooks",
        .summary = "Lists the webhooks by the time of their creation",
        .answer = webhook_fields(),
        .answer_name = "EventWebhook"}},
      {Method::get,
       "/v1/webhooks/{id}",
       Scope::admin,
       handle(one_webhook(), &get_webhook),
       {.id = "get_webhook",
        .summary = "Shows a webhook without its secret",
        .answer = webhook_fields(),
        .answer_name = "EventWebhook",
        .refusals = {errors::webhook_not_found}}},
      {Method::patch,
       "/v1/webhooks/{id}",
       Scope::admin,
       handle(change_schema(), &patch_webhook),
       {.id = "change_webhook",
        .summary = "Changes where a webhook sends its events, and which",
        .description =
            "Absent fields stay as they are; null removes a filter. The secret stays. Deliveries that "
            "wait are tried again at once, at the new URL.",
        .answer = webhook_fields(),
        .answer_name = "EventWebhook",
        .refusals = {errors::webhook_not_found, errors::address_not_allowed}}},
      {Method::delete_,
       "/v1/webhooks/{id}",
       Scope::admin,
       handle(one_webhook(), &delete_webhook),
       {.id = "delete_webhook",
        .summary = "Deletes a webhook and its deliveries",
        .status = 204,
        .refusals = {errors::webhook_not_found}}},
      {Method::get,
       "/v1/webhooks/{id}/deliveries",
       Scope::admin,
       handle(deliveries_schema(), &get_deliveries),
       {.id = "list_deliveries",
        .summary = "Lists the deliveries of a webhook, newest first",
        .description = "All that wait, those that died within 30 days, and the newest 1000 that were made.",
        .answer = delivery_fields(),
        .answer_name = "Delivery",
        .refusals = {errors::webhook_not_found}}},
      {Method::post,
       "/v1/webhooks/{id}/deliveries/{n}/replay",
       Scope::admin,
       handle(one_delivery(), &post_replay),
       {.id = "replay_delivery",
        .summary = "Makes a delivery again, or at once if it waits",
        .answer = delivery_fields(),
        .answer_name = "Delivery",
        .refusals = {errors::webhook_not_found, errors::delivery_not_found},
        .repeatable = true}},
  };
  return routes;
}

}  // namespace larder::api
