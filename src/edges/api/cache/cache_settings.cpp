#include "edges/api/cache/cache_settings.hpp"

#include "base/error.hpp"
#include "base/limits.hpp"
#include "systems/cache/maintenance.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::api {

namespace {

constexpr std::string_view automatic = "auto";
constexpr std::string_view embedded_directory = "redis-cache";
constexpr std::int64_t memory_mb_max = 1'048'576;
// The keys of the cache lie next to those of other systems. If a prefix began with one of these words, the
// name of an item or a world could complete a key of the cache.
constexpr std::string_view words_of_others[] = {"craft",    "items",  "larder", "once",
                                                "roulette", "tribes", "user",   "username"};

// A text with a rule of its own.
Setting ruled_setting(std::string name, std::string& target,
                      std::optional<std::string> (*problem_of)(std::string_view)) {
  auto setting = text_setting(std::move(name), target);
  setting.set = [&target, problem_of](std::string const& value) -> std::string {
    if (auto wrong = problem_of(value)) return std::move(*wrong);
    target = value;
    return {};
  };
  return setting;
}

Setting keep_setting(std::string name, cache::Keep& target) {
  return {.name = std::move(name),
          .set = [&target](std::string const& value) -> std::string {
            auto const keep = cache::parse_keep(value);
            if (!keep) {
              return "must be true (for ever), false (not at all), or a time such as 90s, 15m, 24h or 7d, "
                     "at most 3650d";
            }
            target = *keep;
            return {};
          },
          .toml =
              [&target] {
                auto const text = cache::to_text(target);
                return text == "true" || text == "false" ? text : fmt::format("'{}'", text);
              }};
}

}  // namespace

cache::CacheSetup CacheValues::setup() const {
  cache::CacheSetup setup{.keys = {prefix, version_info}, .keep = keep};
  for (std::size_t i = 0; i < feed.size(); ++i) setup.feed[i] = feed[i];
  return setup;
}

std::optional<std::string> problem_of_prefix(std::string_view text) {
  if (!cache::is_cache_prefix(text)) {
    return fmt::format("must have 1 to {} characters of A-Z a-z 0-9 _.:- and no colon at either end",
                       limits::cache_prefix_chars_max);
  }
  auto const word = text.substr(0, text.find(':'));
  if (std::ranges::find(words_of_others, word) == std::end(words_of_others)) return std::nullopt;
  return fmt::format("must not begin with {}, because keys of other systems do", word);
}

std::optional<std::string> problem_of_version_info(std::string_view text) {
  if (cache::is_version_info(text)) return std::nullopt;
  return "must be v, a number and perhaps an encoding, such as v1 or v1json";
}

std::optional<std::string> problem_of_encoding(std::string_view version_info) {
  if (auto wrong = problem_of_version_info(version_info)) return wrong;
  auto const begin = std::min(version_info.find_first_not_of("0123456789", 1), version_info.size());
  auto const encoding = version_info.substr(begin);
  if (encoding.empty() || encoding == "json") return std::nullopt;
  if (encoding == "proto") {
    return "names the encoding proto, which is not supported: the specification does not define its messages";
  }
  return fmt::format("names the encoding {}, which is unknown: use v1 or v1json", encoding);
}

Settings cache_settings(CacheValues& values) {
  Settings settings{ruled_setting("cache.prefix", values.prefix, &problem_of_prefix),
                    ruled_setting("cache.version_info", values.version_info, &problem_of_encoding),
                    text_setting("cache.redis.url", values.redis_url),
                    number_setting("cache.redis.memory_mb", values.redis_memory_mb, 0, memory_mb_max)};
  for (std::size_t i = 0; i < cache::resource_count; ++i) {
    auto const resource = cache::Resource(i);
    settings.push_back(
        keep_setting(fmt::format("cache.keep.{}", cache::resource_name(resource)), values.keep[resource]));
  }
  for (std::size_t i = 0; i < cache::resource_count; ++i) {
    settings.push_back(
        flag_setting(fmt::format("cache.feed.{}", cache::resource_name(cache::Resource(i))), values.feed[i]));
  }
  return settings;
}

void check_cache_values(CacheValues const& values, Config const& config) {
  auto const place = cache_place(values, config);
  if (values.redis_memory_mb > 0 && !(place.url.embedded && own_place(values, config))) {
    throw SetupError(
        "cache.redis.memory_mb limits an embedded Redis of the cache, but the cache uses another Redis; "
        "limit that one with its own maxmemory");
  }
}

std::optional<redis::Place> own_place(CacheValues const& values, Config const& config) {
  auto place = redis::embedded_place(config, embedded_directory);
  place.options.fsync = "everysec";
  place.options.memory_mb = values.redis_memory_mb;
  bool const shared_is_embedded = redis::parse_url(config.redis.url).embedded;
  if (values.redis_url == automatic) return shared_is_embedded ? std::optional(place) : std::nullopt;
  place.url = redis::parse_url(values.redis_url);
  if (!place.url.embedded && values.redis_url == config.redis.url) return std::nullopt;
  return place;
}

redis::Place cache_place(CacheValues const& values, Config const& config) {
  return own_place(values, config).value_or(redis::main_place(config));
}

// What a cache loses in a failover is not worth waiting for replicas.
redis::Options cache_client_options(Config const& config, redis::Url url) {
  auto options = redis::client_options(config, std::move(url));
  options.replicas_min = 0;
  return options;
}

}  // namespace larder::api
