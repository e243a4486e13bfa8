#include "base/log.hpp"
#include "base/number.hpp"
#include "edges/api/admin/admin_api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace larder::api {

namespace {

using accounts::KeyChange;
using accounts::KeyTerms;
using accounts::NewServiceKey;
using accounts::ServiceKey;

constexpr auto key_name_kind = kind::text(1, limits::key_name_chars_max);
constexpr auto key_id_kind = kind::text(1, limits::key_name_chars_max);
constexpr std::string_view key_id_says = "the id of the key; its token contains it";
constexpr std::string_view read_only_says = "the key may send only GET and HEAD, and open no WebSocket";
constexpr std::string_view expires_says = "when the key ends by itself; it must be in the future";

json::value text_or_null(std::optional<TimeMs> time) {
  return time ? json::value(to_rfc3339(*time)) : json::value();
}

json::object to_json(ServiceKey const& key, TimeMs now) {
  auto const& terms = key.terms;
  json::array scopes;
  for (std::size_t i = 0; i < scope_names.size(); ++i) {
    if (terms.scopes.contains(Scope(i))) scopes.emplace_back(scope_names[i]);
  }
  json::value realms;
  for (auto const& realm : terms.realms) {
    if (realms.is_null()) realms.emplace_array();
    realms.get_array().emplace_back(realm);
  }
  return {{"id", key.id},
          {"name", terms.name},
          {"scopes", std::move(scopes)},
          {"realms", std::move(realms)},
          {"read_only", terms.read_only},
          {"created_at", to_rfc3339(key.created_at)},
          {"expires_at", text_or_null(terms.expires_at)},
          {"last_used_at", text_or_null(key.last_used_at)},
          {"revoked_at", text_or_null(key.revoked_at)},
          {"older_tokens_until", text_or_null(key.older_until(now))}};
}

json::object to_json(NewServiceKey const& made, TimeMs now) {
  auto out = to_json(made.key, now);
  out["token"] = made.token;
  return out;
}

FieldType scopes_type() {
  return type::array(type::choice({scope_names.begin(), scope_names.end()}), 1,
                     std::int64_t(scope_names.size()));
}

FieldType realms_type() {
  return type::array(type::text(1, limits::realm_chars_max), 1, std::int64_t(limits::key_realms_max));
}

std::vector<Field> key_fields() {
  return {required("id", type::text(), key_id_says),
          required("name", type::text(), "who uses the key"),
          required("scopes", scopes_type(), "what the key may do; admin: everything"),
          required("realms", realms_type().or_null(),
                   "the only realms of the economy that it may touch; null: all"),
          required("read_only", type::boolean, read_only_says),
          required("created_at", type::time, "when the key was made"),
          required("expires_at", type::time.or_null(), "when the key ends by itself"),
          required("last_used_at", type::time.or_null(),
                   "when a server last let the key in, up to a minute old; null: never"),
          required("revoked_at", type::time.or_null(), "when the key was revoked"),
          required("older_tokens_until", type::time.or_null(),
                   "until when a token from before a rotation goes on; null: none does")};
}

std::vector<Field> new_key_fields() {
  auto fields = key_fields();
  fields.push_back(required("token", type::text(), "the new token; it is not shown again"));
  return fields;
}

// An array of strings.
std::vector<std::string> read_words(ObjectReader& in, std::string_view name, std::size_t max) {
  std::vector<std::string> words;
  for (auto const& element : in.required_array(name, 1, max)) {
    auto const* text = element.if_string();
    if (!text) {
      in.problem(name, fmt::format("{} must be an array of strings", name));
      return {};
    }
    words.emplace_back(*text);
  }
  return words;
}

ScopeSet read_scopes(ObjectReader& in) {
  ScopeSet scopes;
  for (auto const& word : read_words(in, "scopes", scope_names.size())) {
    auto const found = std::ranges::find(scope_names, word);
    if (found == scope_names.end()) {
      in.problem("scopes", fmt::format("scopes must be one or more of {}", fmt::join(scope_names, ", ")));
      return {};
    }
    scopes.add(Scope(found - scope_names.begin()));
  }
  return scopes;
}

// Nothing if the field is absent. Empty, which means all realms, if it is null.
std::optional<std::vector<std::string>> read_realms(ObjectReader& in) {
  if (in.optional_value("realms")) return read_words(in, "realms", limits::key_realms_max);
  return in.is_null("realms") ? std::optional(std::vector<std::string>()) : std::nullopt;
}

ObjectSchema<KeyTerms> terms_schema() {
  return ObjectSchema<KeyTerms>()
      .required("name", key_name_kind, &KeyTerms::name, "who uses the key: characters of A-Z a-z 0-9 _ . -")
      .field(required("scopes", scopes_type(), "what the key may do; admin: everything"),
             [](ObjectReader& in, KeyTerms& terms) { terms.scopes = read_scopes(in); })
      .field(optional("realms", realms_type().or_null(),
                      "the only realms of the economy that the key may touch; then scopes must be economy"),
             [](ObjectReader& in, KeyTerms& terms) { terms.realms = read_realms(in).value_or(terms.realms); })
      .optional("read_only", kind::boolean, &KeyTerms::read_only, read_only_says)
      .optional("expires_at", kind::time, &KeyTerms::expires_at, expires_says);
}

struct OneKey {
  std::string id;
};

template <class T>
Schema<T> key_path() {
  return Schema<T>().path("id", key_id_kind, &T::id, key_id_says);
}

struct ChangedKey {
  std::string id;
  KeyChange change;
};

template <class M>
auto in_change(M KeyChange::* member) {
  return [member](ChangedKey& key) -> auto& { return key.change.*member; };
}

Schema<ChangedKey> change_schema() {
  return key_path<ChangedKey>().body(
      ObjectSchema<ChangedKey>()
          .optional("name", key_name_kind, in_change(&KeyChange::name), "who uses the key")
          .field(optional("scopes", scopes_type(), "what the key may do from now on"),
                 [](ObjectReader& in, ChangedKey& key) {
                   if (in.optional_value("scopes")) key.change.scopes = read_scopes(in);
                 })
          .field(optional("realms", realms_type().or_null(),
                          "the only realms of the economy that the key may touch; null: all"),
                 [](ObjectReader& in, ChangedKey& key) { key.change.realms = read_realms(in); })
          .optional("read_only", kind::boolean, in_change(&KeyChange::read_only), read_only_says)
          .field(optional("expires_at", type::time.or_null(), "when the key ends by itself; null: never"),
                 [](ObjectReader& in, ChangedKey& key) {
                   key.change.expires_at = in.optional<TimeMs>("expires_at");
                   key.change.clears_expires_at = in.is_null("expires_at");
                 }));
}

struct Rotation {
  std::string id;
  std::int64_t overlap_s = limits::key_overlap_s;
};

Schema<Rotation> rotation_schema() {
  return key_path<Rotation>().body(
      ObjectSchema<Rotation>().optional("overlap_s", kind::integer(0, limits::key_overlap_s_max),
                                        &Rotation::overlap_s,
                                        "for how many seconds older tokens go on; a day if absent"),
      EmptyBody::is_empty_object);
}

struct KeyList {
  std::int64_t limit = limits::page_default;
  TimeMs after_created;
  std::string after_id;
};

// "<ms>-<id>" of the last key on the previous page.
bool read_key_cursor(std::string const& cursor, KeyList& list) {
  auto const dash = std::min(cursor.find('-'), cursor.size());
  auto const ms = parse_int(std::string_view(cursor).substr(0, dash));
  if (!ms || dash == cursor.size()) return false;
  list.after_created = {*ms};
  list.after_id = cursor.substr(dash + 1);
  return true;
}

// The change is done. This server applies it at once or, if it cannot read the keys now, a few seconds later.
Task<void> obey(AdminDesk& desk) {
  try {
    co_await desk.keys.refresh();
  } catch (StoreError const& error) {
    log::warn("service keys not refreshed", {{"error", error.what()}});
  }
}

void tell(std::string_view what, std::string_view key, Request const& request) {
  log::info(what, {{"key_id", key}, {"by", request.caller->id}, {"request_id", request.request_id}});
}

Answering get_keys(AdminDesk& desk, KeyList list) {
  auto keys = co_await desk.sql.read(accounts::list_service_keys);
  std::erase_if(keys, [&](ServiceKey const& key) {
    return std::tie(key.created_at, key.id) <= std::tie(list.after_created, list.after_id);
  });
  auto const now = desk.clock.unchecked();
  co_return page_response(
      keys, list.limit, [now](ServiceKey const& key) { return to_json(key, now); },
      [](ServiceKey const& key) { return fmt::format("{}-{}", key.created_at.value, key.id); });
}

Answering get_key(AdminDesk& desk, OneKey one) {
  auto const keys = co_await desk.sql.read(accounts::list_service_keys);
  auto const found = std::ranges::find(keys, one.id, &ServiceKey::id);
  if (found == keys.end())
    co_return refuse(errors::service_key_not_found, "there is no service key with this id");
  co_return json_response(to_json(*found, desk.clock.unchecked()));
}

Answering post_key(AdminDesk& desk, KeyTerms terms, Request const& request) {
  auto const now = desk.clock.now();
  CO_TRY(auto const made, co_await desk.sql.write([terms = std::move(terms), now](sql::Session& session) {
    return accounts::create_service_key(session, terms, now);
  }));
  tell("service key created", made.key.id, request);
  co_await obey(desk);
  co_return json_response(to_json(made, now), 201);
}

Answering patch_key(AdminDesk& desk, ChangedKey changed, Request const& request) {
  auto const now = desk.clock.now();
  CO_TRY(auto const key, co_await desk.sql.write([changed = std::move(changed), now](sql::Session& session) {
    return accounts::change_service_key(session, changed.id, changed.change, now);
  }));
  tell("service key changed", key.id, request);
  co_await obey(desk);
  co_return json_response(to_json(key, now));
}

Answering delete_key(AdminDesk& desk, OneKey one, Request const& request) {
  auto const now = desk.clock.unchecked();
  CO_TRY(auto const key, co_await desk.sql.write([id = std::move(one.id), now](sql::Session& session) {
    return accounts::revoke_service_key(session, id, now);
  }));
  tell("service key revoked", key.id, request);
  co_await obey(desk);
  co_return no_content();
}

Answering post_rotation(AdminDesk& desk, Rotation rotation, Request const& request) {
  auto const now = desk.clock.now();
  CO_TRY(auto const made,
         co_await desk.sql.write([rotation = std::move(rotation), now](sql::Session& session) {
           return accounts::rotate_service_key(session, rotation.id, rotation.overlap_s, now);
         }));
  tell("service key rotated", made.key.id, request);
  co_await obey(desk);
  co_return json_response(to_json(made, now));
}

}  // namespace

std::span<Route const> admin_key_routes() {
  static Route const routes[] = {
      {Method::get,
       "/v1/admin/keys",
       Scope::admin,
       handle(Schema<KeyList>().page(&KeyList::limit, read_key_cursor), &get_keys),
       {.id = "list_keys",
        .summary = "Lists the service keys by the time of their creation, also revoked ones",
        .answer = key_fields(),
        .answer_name = "ServiceKey"}},
      {Method::post,
       "/v1/admin/keys",
       Scope::admin,
       handle(Schema<KeyTerms>().body(terms_schema()), &post_key),
       {.id = "create_key",
        .summary = "Creates a service key and shows its token, once",
        .description =
            "If the answer is lost, revoke the key and create another one. Every server knows the new "
            "token at its first use.",
        .status = 201,
        .answer = new_key_fields(),
        .answer_name = "NewServiceKey",
        .has_secrets = true}},
      {Method::get,
       "/v1/admin/keys/{id}",
       Scope::admin,
       handle(key_path<OneKey>(), &get_key),
       {.id = "get_key",
        .summary = "Shows a service key without its token",
        .answer = key_fields(),
        .answer_name = "ServiceKey",
        .refusals = {errors::service_key_not_found}}},
      {Method::patch,
       "/v1/admin/keys/{id}",
       Scope::admin,
       handle(change_schema(), &patch_key),
       {.id = "change_key",
        .summary = "Changes what a service key may do; its token stays",
        .description =
            "Absent fields stay as they are. This server obeys the change at once, all others within ten "
            "seconds.",
        .answer = key_fields(),
        .answer_name = "ServiceKey",
        .refusals = {errors::service_key_not_found, errors::service_key_revoked}}},
      {Method::delete_,
       "/v1/admin/keys/{id}",
       Scope::admin,
       handle(key_path<OneKey>(), &delete_key),
       {.id = "revoke_key",
        .summary = "Revokes a service key for good; it stays in the list",
        .description = "This server refuses its tokens at once, all others within ten seconds.",
        .status = 204,
        .refusals = {errors::service_key_not_found}}},
      {Method::post,
       "/v1/admin/keys/{id}/rotate",
       Scope::admin,
       handle(rotation_schema(), &post_rotation),
       {.id = "rotate_key",
        .summary = "Makes a new token for a service key and shows it, once; older ones go on for a while",
        .description =
            "If the answer is lost, rotate the key again: whoever has an older token goes on meanwhile.",
        .answer = new_key_fields(),
        .answer_name = "NewServiceKey",
        .refusals = {errors::service_key_not_found, errors::service_key_revoked, errors::too_many_tokens},
        .has_secrets = true}},
  };
  return routes;
}

}  // namespace larder::api
