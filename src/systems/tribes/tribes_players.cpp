// The players of a world, for people who look around.
#include "base/number.hpp"
#include "base/try.hpp"
#include "base/when_all.hpp"
#include "systems/tribes/tribes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::tribes {

namespace {

// "<x>,<y> <name>"
std::pair<Field, std::string> parse_citizen(std::string_view text) {
  auto const cut = text.find(' ');
  auto const field = parse_field(text.substr(0, cut)).value_or(Field{});
  return {field, cut == std::string_view::npos ? std::string() : std::string(text.substr(cut + 1))};
}

std::int64_t whole_coins(std::string_view score) {
  return std::int64_t(std::strtod(std::string(score).c_str(), nullptr));
}

Task<std::optional<PlayerPlace>> look_for(redis::Redis& redis, std::string world, std::string user) {
  auto const key = WorldKeys(WorldId::from(world).value()).names();
  auto const found = co_await redis.command(redis::Use::read, key, {"HGET", key, user});
  if (found.is_nil()) co_return std::nullopt;
  co_return PlayerPlace{.world = std::move(world), .username = parse_citizen(found.text()).second};
}

}  // namespace

// Redis decides how many players a step of the scan has: of a small world, all of them. So a page that ends
// inside a step begins with the same step again, and skips those that were shown.
Task<Result<PlayersPage>> Tribes::players(WorldId id, PlayersAfter after, std::int64_t limit) {
  CO_TRY(auto const world, co_await open(std::move(id)));
  auto const key = world->keys.names();
  auto const scan = fmt::to_string(after.scan);
  auto const count = fmt::to_string(limit);
  auto const reply = co_await redis_.command(redis::Use::read, key, {"HSCAN", key, scan, "COUNT", count});
  PlayersPage page;
  for (std::size_t i = 0; i + 1 < reply.at(1).size(); i += 2) {
    auto user = UserId::from(reply.at(1).at(i).text());
    if (!user || user->str() <= after.user) continue;
    auto [field, name] = parse_citizen(reply.at(1).at(i + 1).text());
    page.players.push_back({.user = std::move(*user), .username = std::move(name), .field = field});
  }
  std::ranges::sort(page.players, {}, &WorldPlayer::user);
  if (std::int64_t(page.players.size()) > limit) {
    page.players.resize(std::size_t(limit));
    page.next = PlayersAfter{.scan = after.scan, .user = page.players.back().user.str()};
  } else if (auto const next = parse_int<std::uint64_t>(reply.at(0).text()).value_or(0); next != 0) {
    page.next = PlayersAfter{.scan = next, .user = {}};
  }
  co_await add_coins(*world, page.players);
  co_return page;
}

Task<void> Tribes::add_coins(World const& world, std::vector<WorldPlayer>& players) {
  if (players.empty()) co_return;
  auto const key = world.keys.leaderboard();
  std::vector<std::string_view> command{"ZMSCORE", key};
  for (auto const& player : players) command.push_back(player.user.str());
  auto const scores = co_await redis_.command(redis::Use::read, key, command);
  for (std::size_t i = 0; i < players.size(); ++i)
    players[i].coins = whole_coins(scores.at(i).optional_text().value_or("0"));
}

Task<std::vector<PlayerPlace>> Tribes::find_player(UserId user, std::vector<std::string> worlds) {
  std::vector<Task<std::optional<PlayerPlace>>> asked;
  for (auto& world : worlds) asked.push_back(look_for(redis_, std::move(world), user.str()));
  std::vector<PlayerPlace> places;
  for (auto& place : co_await when_all(std::move(asked))) {
    if (place) places.push_back(std::move(*place));
  }
  co_return places;
}

}  // namespace larder::tribes
