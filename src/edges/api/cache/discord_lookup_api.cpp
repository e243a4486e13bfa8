// Many objects at once, and what a member may do.
#include "edges/api/cache/cache_api.hpp"
#include "edges/api/cache/discord_kinds.hpp"
#include "edges/api/cache/permission_names.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

using cache::ObjectKind;

// How a key of /lookup names an object: ["member", guild, user]. A missing kind of id: the key has none.
struct LookupName {
  std::string_view name;
  ObjectKind kind;
  DiscordId const* parent;
  DiscordId const* id;
};

constexpr LookupName lookup_names[] = {
    {"application", ObjectKind::application, nullptr, &snowflake},
    {"automod_rule", ObjectKind::automod_rule, &snowflake, &snowflake},
    {"ban", ObjectKind::ban, &snowflake, &snowflake},
    {"channel", ObjectKind::channel, &snowflake, &snowflake},
    {"command", ObjectKind::command, &snowflake, &snowflake},
    {"emoji", ObjectKind::emoji, &snowflake, &snowflake},
    {"guild", ObjectKind::guild, nullptr, &snowflake},
    {"integration", ObjectKind::integration, &snowflake, &snowflake},
    {"interaction", ObjectKind::interaction, nullptr, &snowflake},
    {"invite", ObjectKind::invite, nullptr, &discord_code},
    {"member", ObjectKind::member, &snowflake, &snowflake},
    {"message", ObjectKind::message, nullptr, &snowflake},
    {"presence", ObjectKind::presence, &snowflake, &snowflake},
    {"role", ObjectKind::role, &snowflake, &snowflake},
    {"scheduled_event", ObjectKind::scheduled_event, &snowflake, &snowflake},
    {"stage_instance", ObjectKind::stage_instance, nullptr, &snowflake},
    {"sticker", ObjectKind::sticker, &snowflake, &snowflake},
    {"template", ObjectKind::guild_template, &snowflake, &discord_code},
    {"thread", ObjectKind::thread, nullptr, &snowflake},
    {"thread_member", ObjectKind::thread_member, &snowflake, &snowflake},
    {"user", ObjectKind::user, nullptr, &snowflake},
    {"voice_state", ObjectKind::voice_state, &snowflake, &snowflake},
    {"webhook", ObjectKind::webhook, nullptr, &snowflake},
    {"welcome_screen", ObjectKind::welcome_screen, &snowflake, nullptr},
    {"widget", ObjectKind::widget, &snowflake, nullptr},
};

// Whether a channel is named without its guild: ["channel", id].
bool lacks_guild(LookupName const& name, std::size_t ids) {
  return name.kind == ObjectKind::channel && ids == 1;
}

// The key that a JSON array names, or what is wrong with the array.
std::expected<cache::ObjectKey, std::string> read_lookup_key(json::value const& value) {
  std::vector<std::string_view> words;
  auto const* const array = value.if_array();
  for (std::size_t i = 0; array && i < array->size(); ++i) {
    auto const* const text = (*array)[i].if_string();
    words.push_back(text ? std::string_view(*text) : std::string_view());
  }
  if (words.empty())
    return std::unexpected("must be an array of a kind and its ids, such as [\"user\", \"80\"]");
  auto const* const name = std::ranges::find(lookup_names, words.front(), &LookupName::name);
  if (name == std::end(lookup_names))
    return std::unexpected("must begin with a kind of object, such as \"user\"");
  auto const ids = std::span(words).subspan(1);
  auto const* const parent = lacks_guild(*name, ids.size()) ? nullptr : name->parent;
  std::size_t const wanted = (parent ? 1 : 0) + (name->id ? 1 : 0);
  if (ids.size() != wanted)
    return std::unexpected(
        fmt::format("must have {} behind {:?}", wanted == 1 ? "one id" : "two ids", name->name));
  if (parent && !parent->is_good(ids.front()))
    return std::unexpected(fmt::format("[1] {}", parent->expectation));
  if (name->id && !name->id->is_good(ids.back()))
    return std::unexpected(fmt::format("[{}] {}", wanted, name->id->expectation));
  return cache::ObjectKey{.kind = name->kind,
                          .parent = std::string(parent ? ids.front() : std::string_view()),
                          .id = std::string(name->id ? ids.back() : std::string_view())};
}

struct AskedLookup {
  std::vector<cache::ObjectKey> keys;
  bool raw = false;
};

Schema<AskedLookup> lookup_schema() {
  auto const keys = required("keys", type::array(type::array(type::text(), 2, 3), 0, limits::lookup_keys_max),
                             "the objects: each is an array of its kind, the guild, thread or application to "
                             "which it belongs, if any, and its id, if any; a channel needs no guild");
  return Schema<AskedLookup>()
      .optional_query("raw", kind::flag, &AskedLookup::raw, raw_says)
      .body(ObjectSchema<AskedLookup>().field(keys, [](ObjectReader& in, AskedLookup& out) {
        auto const& wanted = in.required_array("keys", 0, limits::lookup_keys_max);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          auto key = read_lookup_key(wanted[i]);
          if (!key) return in.problem(fmt::format("keys[{}]", i), std::move(key.error()));
          out.keys.push_back(std::move(*key));
        }
      }));
}

Answering post_lookup(CachePart& part, AskedLookup asked) {
  auto const found =
      co_await part.cache.lookup(asked.keys, asked.raw ? cache::Form::raw : cache::Form::whole);
  Response response{.body = R"({"items":[)"};
  for (auto const& object : found) {
    if (&object != &found.front()) response.body += ',';
    response.body += object ? *object : "null";
  }
  response.body += "]}";
  co_return response;
}

struct AskedPermissions {
  std::string guild;
  std::string user;
  std::optional<std::string> channel;
};

Schema<AskedPermissions> permissions_schema() {
  return Schema<AskedPermissions>()
      .path("guild_id", snowflake, &AskedPermissions::guild, "the guild")
      .path("user_id", snowflake, &AskedPermissions::user, "the member")
      .optional_query("channel", snowflake, &AskedPermissions::channel,
                      "a channel or thread of the guild, with its overwrites");
}

Answering get_permissions(CachePart& part, AskedPermissions asked) {
  CO_TRY(auto const found, co_await part.cache.permissions(std::move(asked.guild), std::move(asked.user),
                                                           std::move(asked.channel)));
  json::array names;
  for (auto const name : permission_names(found.effective)) names.emplace_back(name);
  co_return json_response({{"permissions", fmt::to_string(found.permissions)},
                           {"effective", fmt::to_string(found.effective)},
                           {"names", std::move(names)}});
}

}  // namespace

std::span<Route const> discord_lookup_routes() {
  static Route const routes[] = {
      {Method::post,
       "/v1/discord/lookup",
       Scope::discord,
       handle(lookup_schema(), &post_lookup),
       {.id = "lookup_discord_objects",
        .summary = "Shows many objects at once",
        .answer = {required("items", type::array(type::map(type::any).or_null()),
                            "the objects in the order of their keys; null: not cached")},
        .repeatable = true}},
      {Method::get,
       "/v1/discord/guilds/{guild_id}/members/{user_id}/permissions",
       Scope::discord,
       handle(permissions_schema(), &get_permissions),
       {.id = "get_discord_permissions",
        .summary = "Computes what a member may do in a guild or a channel",
        .answer = {required("permissions", type::text(),
                            "the permissions as Discord documents their calculation, a number in digits"),
                   required("effective", type::text(),
                            "the same without what is implicitly denied, such as writing where the member "
                            "cannot read"),
                   required("names", type::array(type::text()), "the names of the effective permissions")},
        .refusals = {cache::errors::not_cached}}},
  };
  return routes;
}

}  // namespace larder::api
