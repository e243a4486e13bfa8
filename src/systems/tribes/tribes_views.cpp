#include "base/log.hpp"
#include "base/number.hpp"
#include "base/try.hpp"
#include "base/when_all.hpp"
#include "systems/tribes/town_document.hpp"
#include "systems/tribes/tribes.hpp"

#include <fmt/format.h>

#include <set>

namespace larder::tribes {

std::unexpected<Error> refuse_missing_world() {
  return refuse(errors::world_not_found, "there is no world with this id");
}

std::optional<Error> problem_of_player(ReadTowns const& read) {
  if (read.info->deleted) return refuse_missing_world().error();
  if (!read.towns[0])
    return Error{.code = errors::not_joined, .detail = "the player has no town in this world; join it first"};
  if (read.towns[0]->town.ruin)
    return Error{.code = errors::not_joined, .detail = "the account was deleted, and its town is a ruin"};
  return std::nullopt;
}

namespace {

bool is_report(json::object const& data) {
  static constexpr std::string_view numbers[] = {"at",      "fromX",  "fromY",  "toX", "toY",
                                                 "thieves", "caught", "guards", "loot"};
  static constexpr std::string_view texts[] = {"side", "other", "seed"};
  return std::ranges::all_of(numbers,
                             [&](auto name) { return data.contains(name) && data.at(name).is_int64(); }) &&
         std::ranges::all_of(texts,
                             [&](auto name) { return data.contains(name) && data.at(name).is_string(); });
}

}  // namespace

json::object to_json(TownState const& town) {
  return {{"user_id", town.user.str()},
          {"revision", town.revision},
          {"at", to_rfc3339(town.at)},
          {"state", town.state}};
}

std::optional<Field> parse_field(std::string_view text) {
  auto const comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  auto const x = parse_int<int>(text.substr(0, comma));
  auto const y = parse_int<int>(text.substr(comma + 1));
  if (!x || !y) return std::nullopt;
  return Field{.x = *x, .y = *y};
}

Task<std::vector<WorldId>> Tribes::world_ids() {
  auto const reply = co_await redis_.command(redis::Use::read, worlds_key, {"SMEMBERS", worlds_key});
  std::vector<WorldId> ids;
  for (std::size_t i = 0; i < reply.size(); ++i) {
    if (auto id = WorldId::from(reply.at(i).text())) ids.push_back(std::move(*id));
  }
  std::ranges::sort(ids);
  co_return ids;
}

Task<std::vector<WorldLine>> Tribes::worlds() {
  std::vector<WorldLine> lines;
  for (auto const& id : co_await world_ids()) {
    try {
      auto const world = co_await open_fresh(id);
      if (!world) continue;
      lines.push_back(co_await line_of(**world));
    } catch (CorruptDocument const& error) {
      log::warn("a world cannot be read", {{"world", id.str()}, {"why", error.what()}});
    }
  }
  co_return lines;
}

Task<WorldLine> Tribes::line_of(World const& world) {
  auto const key = world.keys.names();
  auto const players = co_await redis_.command(redis::Use::read, key, {"HLEN", key});
  WorldLine line{.id = world.id, .info = world.info(), .players = players.integer()};
  if (line.info->winner)
    line.winner_name = (co_await citizens(world, {line.info->winner->str()})).front().username;
  co_return line;
}

Task<Result<TownState>> Tribes::state(WorldId id, UserId user) {
  CO_TRY(auto const world, co_await open(std::move(id)));
  auto const read = co_await towns_.read_now(*world, {user});
  if (auto problem = problem_of_player(read)) co_return std::unexpected(std::move(*problem));
  auto const now = read.info->shown_at(shared_.clock.now());
  co_return TownState{.user = user,
                      .revision = read.towns[0]->revision,
                      .at = now,
                      .state = view(read.towns[0]->town, read.info->clock, now)};
}

Task<Result<void>> Tribes::check_joined(World& world, UserId const& user) {
  auto const read = co_await towns_.read(world, {user});
  if (auto problem = problem_of_player(read)) co_return std::unexpected(std::move(*problem));
  co_return Result<void>();
}

Task<Result<std::vector<series::Summary>>> Tribes::history(WorldId id, UserId user, Resource resource,
                                                           series::Query query) {
  CO_TRY(auto const world, co_await open(std::move(id)));
  CO_TRY_DO(co_await check_joined(*world, user));
  series::Series series(redis_);
  co_return co_await series.read(
      resource == Resource::coins ? world->keys.coins(user) : world->keys.pizzas(user), query);
}

Task<Result<std::vector<Report>>> Tribes::reports(WorldId id, UserId user, std::string before,
                                                  std::int64_t limit) {
  CO_TRY(auto const world, co_await open(std::move(id)));
  CO_TRY_DO(co_await check_joined(*world, user));
  auto const key = world->keys.reports(user);
  auto const last = before.empty() ? "+" : "(" + before;
  auto const first =
      fmt::to_string(std::max<std::int64_t>(0, shared_.clock.now().value - limits::reports_kept_ms));
  auto const count = fmt::to_string(limit);
  auto const found =
      co_await redis_.command(redis::Use::read, key, {"XREVRANGE", key, last, first, "COUNT", count});
  auto const read_key = world->keys.read_reports(user);
  auto const read = co_await redis_.command(redis::Use::read, read_key, {"SMEMBERS", read_key});
  std::set<std::string, std::less<>> seen;
  for (std::size_t i = 0; i < read.size(); ++i) seen.emplace(read.at(i).text());
  std::vector<Report> reports;
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::string report_id(found.at(i).at(0).text());
    auto const data = parse_json(found.at(i).at(1).at(1).text());
    if (!data || !data->is_object() || !is_report(data->get_object())) continue;  // written by hand
    bool const was_read = seen.contains(report_id);
    reports.push_back({.id = std::move(report_id), .read = was_read, .data = data->as_object()});
  }
  co_return reports;
}

Task<Result<void>> Tribes::mark_read(WorldId id, UserId user, std::string report) {
  CO_TRY(auto const world, co_await open(std::move(id)));
  CO_TRY_DO(co_await check_joined(*world, user));
  auto const reply =
      co_await redis_.run(redis::Use::idempotent_write, scripts::read_report(*world, user, report));
  if (reply.integer() == 0) co_return refuse(errors::report_not_found, "there is no report with this id");
  co_return Result<void>();
}

Task<std::vector<Tribes::Citizen>> Tribes::citizens(World const& world,
                                                    std::vector<std::string> const& users) {
  std::vector<Citizen> citizens;
  if (users.empty()) co_return citizens;
  auto const key = world.keys.names();
  std::vector<std::string_view> words{"HMGET", key};
  words.insert(words.end(), users.begin(), users.end());
  auto const reply = co_await redis_.command(redis::Use::read, key, words);
  for (std::size_t i = 0; i < users.size(); ++i) {
    auto const text = reply.at(i).is_nil() ? std::string_view() : reply.at(i).text();
    auto const cut = text.find(' ');
    auto const field = parse_field(text.substr(0, cut));
    citizens.push_back({.field = field.value_or(Field{}),
                        .username = cut == std::string_view::npos ? "" : std::string(text.substr(cut + 1))});
  }
  co_return citizens;
}

Task<Result<std::vector<Ranked>>> Tribes::leaderboard(WorldId id, std::int64_t limit,
                                                      std::optional<UserId> around) {
  CO_TRY(auto const world, co_await open(std::move(id)));
  boards::Board board(redis_, world->keys.leaderboard());
  auto const places = around ? co_await board.around(around->str(), limit) : co_await board.top(limit);
  if (around && places.empty())
    co_return std::unexpected(Error{
        .code = errors::not_joined, .detail = "this player has no town in this world", .field = "around"});
  std::vector<std::string> users;
  for (auto const& place : places) users.push_back(place.member);
  auto const known = co_await citizens(*world, users);
  std::vector<Ranked> ranked;
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto user = UserId::from(places[i].member);
    if (!user) continue;  // written by hand
    ranked.push_back({.rank = places[i].rank,
                      .user = std::move(*user),
                      .username = known[i].username,
                      .coins = places[i].score,
                      .field = known[i].field});
  }
  co_return ranked;
}

Task<Result<std::vector<MapTown>>> Tribes::towns_around(WorldId id, Field centre, int radius) {
  CO_TRY(auto const world, co_await open(std::move(id)));
  auto const info = world->info();
  auto const& map = info->rules().world;
  auto const clip = [&](int at) { return std::clamp(at, 0, int(map.size) - 1); };
  auto const first = zone_of({clip(centre.x - radius), clip(centre.y - radius)}, map);
  auto const last = zone_of({clip(centre.x + radius), clip(centre.y + radius)}, map);
  std::vector<Task<std::vector<std::pair<Field, UserId>>>> reads;
  for (int y = first.y; y <= last.y; ++y) {
    for (int x = first.x; x <= last.x; ++x) reads.push_back(towns_of(*world, {.x = x, .y = y}));
  }
  std::vector<MapTown> towns;
  std::vector<std::string> users;
  for (auto const& zone : co_await when_all(std::move(reads))) {
    for (auto const& [field, user] : zone) {
      if (std::abs(field.x - centre.x) > radius || std::abs(field.y - centre.y) > radius) continue;
      towns.push_back({.field = field, .user = user, .username = {}});
      users.push_back(user.str());
    }
  }
  auto const known = co_await citizens(*world, users);
  for (std::size_t i = 0; i < towns.size(); ++i) towns[i].username = known[i].username;
  std::ranges::sort(towns, {}, &MapTown::field);
  co_return towns;
}

Task<std::vector<Fame>> Tribes::hall_of_fame(std::optional<FamePlace> after, std::int64_t limit) {
  return shared_.journal.hall_of_fame(std::move(after), limit);
}

Task<void> Tribes::watch(World& world, std::vector<UserId> users) {
  auto const now = shared_.clock.now();
  auto const reply = co_await redis_.run(redis::Use::idempotent_write,
                                         scripts::watch_towns(world, users, now, now + limits::watched_ms));
  if (reply.integer() > 0) shared_.wake_updates(world, now);
}

}  // namespace larder::tribes
