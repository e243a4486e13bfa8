// The views of a realm.
#include "base/number.hpp"
#include "base/try.hpp"
#include "kit/events/projector.hpp"
#include "stores/redis/reply_reader.hpp"
#include "systems/economy/answer.hpp"
#include "systems/economy/realm_catalogue.hpp"

namespace larder::economy {

namespace {

constexpr auto patience = std::chrono::milliseconds(2000);

std::int64_t seconds_of(std::int64_t ms) { return ms <= 0 ? 0 : (ms + 999) / 1000; }

// The whole part of a number that somebody may have written by hand.
std::int64_t whole(std::string_view text) {
  if (auto const number = parse_int(text)) return *number;
  return text.empty() ? 0 : std::int64_t(std::strtod(std::string(text).c_str(), nullptr));
}

}  // namespace

Task<Result<CataloguePtr>> Economy::catalogue(RealmId id) {
  auto const realm = co_await look_up(id);
  if (!realm) co_return std::unexpected(realm.error());
  auto const seen = (*realm)->catalogue();
  if (seen && shared_.realms.find(id)) {
    CO_TRY_DO(co_await refresh(**realm, seen));
  }
  auto found = (*realm)->catalogue();
  co_return found ? found : shared_.catalogue;
}

Task<Result<PlayerView>> Economy::player(RealmId id, UserId player) {
  try {
    co_return co_await read_player(std::move(id), std::move(player));
  } catch (redis::ReplyError const& error) {
    if (auto refusal = foreign_value_read(error)) co_return std::unexpected(std::move(*refusal));
    throw;
  }
}

Task<Result<PlayerView>> Economy::read_player(RealmId id, UserId player) {
  PlayerView view{.id = player};
  for (;;) {
    auto const realm = co_await look_up(id);
    if (!realm) co_return std::unexpected(realm.error());
    auto const catalogue = (*realm)->catalogue();
    if (!catalogue) continue;  // deleted meanwhile
    bool const known = opened(id) != nullptr;
    auto const reply = co_await redis_.run(redis::Use::read,
                                           scripts::read_player((*realm)->keys, *catalogue, known, player));
    redis::ReplyReader in(reply);
    if (in.integer() == 3) {
      CO_TRY_DO(co_await refresh(**realm, catalogue));
      continue;
    }
    if (auto const name = in.text(); !name.empty()) view.name = name;
    auto const score = in.text();
    view.balance = whole(score);
    auto const rank = in.optional_integer();
    if (!score.empty()) view.rank = rank.value() + 1;
    for (auto inventory = in.array(); !inventory.at_end();) {
      std::string item(inventory.text());
      if (auto const count = whole(inventory.text()); count != 0) view.inventory[std::move(item)] = count;
    }
    if (auto const level = in.text(); !level.empty()) view.vampire_level = whole(level);
    for (auto const kind : all_effects) {
      auto const value = in.text();
      auto const ms_left = in.integer();
      if (value.empty()) continue;
      view.effects.push_back({.kind = kind, .value = whole(value), .seconds_left = seconds_of(ms_left)});
    }
    for (auto& cooldown : cooldowns_of((*realm)->keys, *catalogue, player)) {
      in.text();
      view.cooldowns[std::move(cooldown.name)] = seconds_of(in.integer());
    }
    in.end();
    co_return view;
  }
}

Task<Result<std::vector<Standing>>> Economy::leaderboard(RealmId id, std::int64_t limit,
                                                         std::optional<UserId> around) {
  try {
    co_return co_await read_leaderboard(std::move(id), limit, std::move(around));
  } catch (redis::ReplyError const& error) {
    if (auto refusal = foreign_value_read(error)) co_return std::unexpected(std::move(*refusal));
    throw;
  }
}

Task<Result<std::vector<boards::Place>>> Economy::read_places(RealmId const& id, std::int64_t limit,
                                                              std::optional<UserId> around) {
  RealmKeys const keys(id);
  for (;;) {
    auto const realm = opened(id);
    auto const catalogue = realm ? realm->catalogue() : nullptr;
    auto const reply = co_await redis_.run(
        redis::Use::read, scripts::read_leaderboard(keys, catalogue != nullptr, limit, around));
    redis::ReplyReader in(reply);
    if (in.integer() == 3) {
      CO_TRY_DO(co_await refresh(*realm, catalogue));
      continue;
    }
    auto const first = in.integer();
    auto places = boards::read_places(in.array(), first + 1);
    in.end();
    co_return places;
  }
}

Task<Result<std::vector<Standing>>> Economy::read_leaderboard(RealmId id, std::int64_t limit,
                                                              std::optional<UserId> around) {
  if (auto problem = problem_of(id)) co_return std::unexpected(std::move(*problem));
  RealmKeys const keys(id);
  CO_TRY(auto const places, co_await read_places(id, limit, std::move(around)));
  std::vector<Standing> standings;
  if (places.empty()) co_return standings;
  std::vector<std::string> name_keys;
  for (auto const& place : places) {
    standings.push_back({.rank = place.rank, .id = place.member, .balance = place.score});
    name_keys.push_back(keys.prefix() + place.member);
  }
  std::vector<std::string_view> command{"MGET"};
  command.insert(command.end(), name_keys.begin(), name_keys.end());
  auto const names = co_await redis_.command(redis::Use::read, name_keys[0], command);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names.at(i).is_nil()) standings[i].name = std::string(names.at(i).text());
  }
  co_return standings;
}

Task<Result<std::vector<ListedPlayer>>> Economy::players(RealmId id, PlayersQuery query) {
  auto const realm = co_await look_up(id);
  if (!realm) co_return std::unexpected(realm.error());
  shared_.wake_projector(**realm);
  co_await events::caught_up(redis_, (*realm)->keys.points(), patience);
  co_await events::caught_up(redis_, (*realm)->keys.items(), patience);
  auto lines = co_await shared_.journal.players(id, std::move(query));
  try {
    co_return co_await add_balances(id, std::move(lines));
  } catch (redis::ReplyError const& error) {
    if (auto refusal = foreign_value_read(error)) co_return std::unexpected(std::move(*refusal));
    throw;
  }
}

Task<Result<std::vector<ListedPlayer>>> Economy::add_balances(RealmId const& id,
                                                              std::vector<PlayerLine> lines) {
  std::vector<ListedPlayer> players;
  if (lines.empty()) co_return players;
  auto const key = RealmKeys(id).leaderboard();
  std::vector<std::string_view> command{"ZMSCORE", key};
  for (auto const& line : lines) command.push_back(line.id);
  auto const scores = co_await redis_.command(redis::Use::read, key, command);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    players.push_back({.id = lines[i].id,
                       .name = std::move(lines[i].name),
                       .balance = whole(scores.at(i).optional_text().value_or(""))});
  }
  co_return players;
}

Task<Result<std::vector<EconomyEvent>>> Economy::events(RealmId id, EventQuery query) {
  auto const realm = co_await look_up(id);
  if (!realm) co_return std::unexpected(realm.error());
  shared_.wake_projector(**realm);
  co_await events::caught_up(redis_, (*realm)->keys.points(), patience);
  co_await events::caught_up(redis_, (*realm)->keys.items(), patience);
  co_return co_await shared_.journal.events(std::move(id), std::move(query));
}

}  // namespace larder::economy
