#include "edges/api/cache/cache_operator.hpp"

#include "base/json.hpp"
#include "systems/cache/raw_json.hpp"
#include "systems/cache/snowflake.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

using cache::ObjectKind;

struct Searched {
  ObjectKind kind;
  std::string_view word;
  std::string_view path;
  std::string_view name;  // the member that has the name; empty: none
};
constexpr Searched searched[] = {{ObjectKind::guild, "guild", "guilds", "name"},
                                 {ObjectKind::channel, "channel", "channels", "name"},
                                 {ObjectKind::user, "user", "users", "username"},
                                 {ObjectKind::message, "message", "messages", ""}};

std::optional<std::string> name_in_object(std::string const& text, std::string_view member) {
  auto const object = member.empty() ? std::nullopt : cache::RawObject::parse(text);
  auto const raw = object ? object->find(member) : std::string_view();
  if (raw.empty()) return std::nullopt;
  auto const name = parse_json(raw);
  return name && name->is_string() ? std::optional(std::string(name->get_string())) : std::nullopt;
}

// Names of guilds have no index, so they are not searched.
Task<std::vector<SearchHit>> find_in_cache(CachePart& part, std::string id) {
  std::vector<SearchHit> hits;
  if (!cache::is_snowflake(id)) co_return hits;
  std::vector<cache::ObjectKey> keys;
  for (auto const& each : searched) keys.push_back({.kind = each.kind, .id = id});
  auto const objects = co_await part.cache.lookup(keys);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (!objects[i]) continue;
    hits.push_back({.kind = searched[i].word,
                    .id = id,
                    .name = name_in_object(*objects[i], searched[i].name),
                    .path = fmt::format("/v1/discord/{}/{}", searched[i].path, id)});
  }
  co_return hits;
}

}  // namespace

std::vector<DueSets> cache_due_sets(CachePart& part) {
  std::vector<DueSets> sets;
  sets.push_back(
      {.schedule = "cache",
       .members = "a removal that goes on, such as that of a guild with all its objects",
       .redis = part.redis,
       .key = [key = part.shared.setup.keys.jobs()](std::string_view) { return std::optional(key); }});
  return sets;
}

SearchOf cache_search(CachePart& part) {
  return {.system = "discord",
          .find = [&part](std::string text) { return find_in_cache(part, std::move(text)); }};
}

}  // namespace larder::api
