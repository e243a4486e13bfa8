#include "kit/series/series.hpp"

#include "base/error.hpp"
#include "kit/series/series_scripts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>

namespace larder::series {

namespace {

constexpr std::string_view newest_field = "newest";

}  // namespace

std::vector<Summary> regroup(std::vector<Summary> const& kept, Query const& query) {
  LARDER_ASSERT(query.stretch_ms >= 1);
  auto const begin_of = [&](std::int64_t time) { return time - time % query.stretch_ms; };
  auto const first = begin_of(std::max<std::int64_t>(query.from.value, 0));
  std::vector<Summary> groups;
  for (auto summary : kept) {
    summary.at = {begin_of(summary.at.value)};
    if (summary.at.value < first || summary.at >= query.to) continue;
    if (!groups.empty() && groups.back().at == summary.at) {
      groups.back().add(summary);
    } else {
      groups.push_back(summary);
    }
  }
  return groups;
}

Task<void> Series::append(std::vector<Value> values, TimeMs at) {
  co_await redis_.run(redis::Use::write, scripts::append_points(values, at));
}

Task<std::vector<Summary>> Series::read(std::string key, Query query) {
  auto const fields = co_await read_fields(key);
  // In order of time. If a summary begins at the time of a point, the point is newer and comes after it.
  std::map<std::pair<TimeMs, bool>, Summary> kept;
  for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
    auto const name = fields.at(i).text();
    if (name == newest_field) continue;
    auto const block = unpack_block(name, fields.at(i + 1).text());
    if (!block) throw redis::ReplyError(fmt::format("{} is not a series: {} is corrupt", key, name));
    for (auto const& summary : *block) {
      auto const [there, fresh] = kept.emplace(std::pair(summary.at, is_points(name)), summary);
      if (!fresh) there->second.add(summary);
    }
  }
  auto const summaries = kept | std::views::values;
  co_return regroup({summaries.begin(), summaries.end()}, query);
}

Task<redis::Reply> Series::read_fields(std::string const& key) {
  try {
    co_return co_await redis_.command(redis::Use::read, key, {"HGETALL", key});
  } catch (redis::ReplyError const& error) {
    throw redis::ReplyError(fmt::format("{} is not a series: {}", key, error.what()));
  }
}

}  // namespace larder::series
