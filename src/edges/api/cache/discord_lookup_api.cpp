// Many objects at once, and what a member may do.
#include "edges/api/cache/cache_api.hpp"
#include "edges/api/cache/discord_kinds.hpp"
#include "systems/cache/object_places.hpp"
#include "systems/cache/permissions.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

// The key that a JSON array names, or what is wrong with the array.
Result<cache::ObjectKey> read_lookup_key(json::value const& value) {
  std::vector<std::string_view> words;
  if (auto const* const array = value.if_array()) {
    for (auto const& element : *array) {
      auto const* const text = element.if_string();
      words.push_back(text ? std::string_view(*text) : std::string_view());
    }
  }
  return cache::read_object_key(words);
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
          if (!key) return in.problem(fmt::format("keys[{}]", i), "names no object: " + key.error().detail);
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
  for (auto const& name : cache::permission_names(found.effective)) names.emplace_back(name);
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
