// Statistics, and the removal of a whole version.
#include "edges/api/cache/cache_api.hpp"
#include "edges/api/cache/cache_settings.hpp"
#include "edges/http/query.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

// A query parameter that names a cache.
struct CacheWord {
  std::optional<std::string> (*problem_of)(std::string_view);
  std::int64_t chars_max;

  FieldType type() const { return type::text(1, chars_max); }
  std::string required(QueryReader& in, std::string_view name) const {
    return checked(in, name, in.required_text(name, any_length));
  }
  std::optional<std::string> optional(QueryReader& in, std::string_view name) const {
    auto text = in.optional_text(name, any_length);
    return text ? std::optional(checked(in, name, std::move(*text))) : std::nullopt;
  }

 private:
  static constexpr TextRule any_length{.chars_min = 0, .chars_max = limits::header_bytes_max};

  std::string checked(QueryReader& in, std::string_view name, std::string text) const {
    if (auto wrong = problem_of(text)) in.problem(name, std::move(*wrong));
    return text;
  }
};

struct AskedPurge {
  std::string version;
  std::optional<std::string> prefix;
};

Schema<AskedPurge> purge_schema() {
  return Schema<AskedPurge>()
      .query("version", CacheWord{&problem_of_version_info, 32}, &AskedPurge::version,
             "the version info of the keys, such as v1")
      .optional_query("prefix", CacheWord{&problem_of_prefix, limits::cache_prefix_chars_max},
                      &AskedPurge::prefix, "the prefix of the keys; the setting cache.prefix if absent");
}

Answering delete_cache(CachePart& part, AskedPurge asked) {
  cache::CacheKeys const keys(asked.prefix.value_or(std::string(part.prefix())), asked.version);
  auto const deleted = co_await cache::purge_cache(part.redis, keys);
  co_return json_response({{"deleted", deleted}});
}

json::object to_json(cache::CacheStats const& stats, TimeMs now) {
  json::object kinds;
  for (auto const& [name, kind] : stats.kinds)
    kinds[name] = json::object{{"objects", kind.objects}, {"bytes", kind.bytes}};
  json::object events;
  for (auto const& [name, count] : stats.events) events[name] = count;
  json::array shards;
  for (auto const& [number, shard] : stats.shards) {
    shards.push_back({{"shard", number},
                      {"s", shard.sequence},
                      {"at", to_rfc3339(shard.at)},
                      {"age_seconds", std::max<std::int64_t>(0, (now.value - shard.at.value) / 1000)}});
  }
  return {{"kinds", std::move(kinds)},
          {"events", std::move(events)},
          {"shards", std::move(shards)},
          {"counted_at", to_rfc3339(stats.counted_at)}};
}

struct NoQuery {};

Answering get_stats(CachePart& part, NoQuery) {
  auto const stats = co_await part.stats();
  co_return json_response(to_json(*stats, part.shared.clock.now()));
}

std::vector<Field> stats_fields() {
  return {required("kinds",
                   type::map(type::object(
                       {required("objects", type::integer(0), "how many objects are cached"),
                        required("bytes", type::integer(0), "how much of Redis' memory their keys take")})),
                   "by resource as in the keys, such as voice-states; index: the keys of Larder's own"),
          required("events", type::map(type::integer(0)), "how many events have come, by name"),
          required("shards",
                   type::array(type::object(
                       {required("shard", type::integer(0), "the shard"),
                        required("s", type::integer(0), "the sequence number of its newest event"),
                        required("at", type::time, "when that event came"),
                        required("age_seconds", type::integer(0), "how long ago that was")})),
                   "what the shards have sent"),
          required("counted_at", type::time, "when the objects were counted")};
}

}  // namespace

std::span<Route const> discord_care_routes() {
  static Route const routes[] = {
      {Method::get,
       "/v1/discord/stats",
       Scope::discord,
       handle(Schema<NoQuery>(), &get_stats),
       {.id = "get_discord_stats",
        .summary = "Counts what the cache has",
        .description =
            "Counting walks through all keys. A count is used again for ten times as long as it has "
            "taken.",
        .answer = stats_fields(),
        .answer_name = "CacheStats"}},
      {Method::delete_,
       "/v1/discord/cache",
       Scope::discord,
       handle(purge_schema(), &delete_cache),
       {.id = "purge_discord_cache",
        .summary = "Deletes every key of a version of the cache",
        .answer = {required("deleted", type::integer(0), "how many keys were deleted")},
        .refusals = {errors::invalid_request},
        .repeatable = true}},
  };
  return routes;
}

}  // namespace larder::api
