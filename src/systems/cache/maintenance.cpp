#include "systems/cache/maintenance.hpp"

#include "base/when_all.hpp"
#include "systems/cache/snowflake.hpp"

#include <algorithm>
#include <array>

namespace larder::cache {

namespace {

// The patterns of all keys of a cache. No prefix has characters that are special in a pattern: see
// is_cache_prefix().
std::array<std::string, 3> patterns_of(CacheKeys const& keys) {
  auto const& root = keys.root();
  return {root + ":*", "{" + root + ":*", "{" + root + "}:*"};
}

Task<void> for_all_keys(redis::Redis& redis, CacheKeys const& keys, Progress const& progress,
                        std::function<Task<void>(std::vector<std::string>)> const& each) {
  std::int64_t seen = 0;
  for (auto const& pattern : patterns_of(keys)) {
    co_await redis.scan(pattern, [&](std::vector<std::string> found) -> Task<void> {
      seen += std::int64_t(found.size());
      co_await each(std::move(found));
      if (progress) progress(seen);
    });
  }
}

// "members" of "drc:v1:members:1:2"; "index" of our own keys.
std::string kind_of_key(CacheKeys const& keys, std::string_view key) {
  if (key.starts_with('{')) return "index";
  auto const rest = key.substr(std::min(key.size(), keys.root().size() + 1));
  return std::string(rest.substr(0, rest.find(':')));
}

Task<CacheStats::Kind> measure_key(redis::Redis& redis, std::string const& key) {
  auto const type = co_await redis.command(redis::Use::read, key, {"TYPE", key});
  auto const bytes = co_await redis.command(redis::Use::read, key, {"MEMORY", "USAGE", key});
  CacheStats::Kind kind{.objects = 1, .bytes = bytes.is_nil() ? 0 : bytes.integer()};
  if (type.text() == "hash") {
    kind.objects = (co_await redis.command(redis::Use::read, key, {"HLEN", key})).integer();
  } else if (type.text() != "string") {
    kind.objects = 0;  // a list of objects is not an object
  }
  co_return kind;
}

Task<std::int64_t> unlink(redis::Redis& redis, std::vector<std::string> const& keys) {
  std::vector<std::string_view> words{"UNLINK"};
  words.insert(words.end(), keys.begin(), keys.end());
  co_return (co_await redis.command(redis::Use::idempotent_write, keys.front(), words)).integer();
}

}  // namespace

Task<CacheStats> count_cache(redis::Redis& redis, CacheKeys const& keys, Clock const& clock,
                             Progress const& progress) {
  CacheStats stats{.counted_at = clock.now()};
  co_await for_all_keys(redis, keys, progress, [&](std::vector<std::string> found) -> Task<void> {
    std::vector<Task<CacheStats::Kind>> tasks;
    for (auto const& key : found) tasks.push_back(measure_key(redis, key));
    auto const measured = co_await when_all(std::move(tasks));
    for (std::size_t i = 0; i < found.size(); ++i) {
      auto& kind = stats.kinds[kind_of_key(keys, found[i])];
      kind.objects += measured[i].objects;
      kind.bytes += measured[i].bytes;
    }
  });
  auto const counts = co_await redis.command(redis::Use::read, keys.counts(), {"HGETALL", keys.counts()});
  for (std::size_t i = 0; i + 1 < counts.size(); i += 2) {
    stats.events[std::string(counts.at(i).text())] = counts.at(i + 1).integer();
  }
  auto const shards = co_await redis.command(redis::Use::read, keys.shards(), {"HGETALL", keys.shards()});
  for (std::size_t i = 0; i + 1 < shards.size(); i += 2) {
    auto const shard = parse_int(shards.at(i).text());
    auto const value = shards.at(i + 1).text();
    auto const colon = std::min(value.find(':'), value.size());
    auto const sequence = parse_int(value.substr(0, colon));
    auto const at = parse_int(value.substr(std::min(colon + 1, value.size())));
    if (shard && sequence && at) stats.shards[*shard] = {*sequence, TimeMs{*at}};
  }
  co_return stats;
}

Task<std::int64_t> purge_cache(redis::Redis& redis, CacheKeys const& keys, Progress const& progress) {
  std::int64_t deleted = 0;
  co_await for_all_keys(redis, keys, progress, [&](std::vector<std::string> found) -> Task<void> {
    std::vector<Task<std::int64_t>> tasks;
    std::vector<std::vector<std::string>> groups;
    constexpr std::size_t together = 100;
    for (auto& key : found) {
      if (groups.empty() || redis.is_cluster() || groups.back().size() == together) groups.emplace_back();
      groups.back().push_back(std::move(key));
    }
    for (auto const& group : groups) tasks.push_back(unlink(redis, group));
    for (auto const count : co_await when_all(std::move(tasks))) deleted += count;
  });
  co_return deleted;
}

bool is_cache_prefix(std::string_view text) {
  auto const good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_.:-").find(c) != std::string_view::npos;
  };
  return !text.empty() && text.size() <= limits::cache_prefix_chars_max && text.front() != ':' &&
         text.back() != ':' && std::ranges::all_of(text, good);
}

bool is_version_info(std::string_view text) {
  if (!text.starts_with('v') || text.size() > 32) return false;
  auto const encoding = text.find_first_not_of("0123456789", 1);
  if (encoding == 1 || text.size() == 1) return false;
  return encoding == std::string_view::npos || std::ranges::all_of(text.substr(encoding), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '+' || c == '-';
         });
}

}  // namespace larder::cache
