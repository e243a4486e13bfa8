// What can be seen of a realm.
#include "base/number.hpp"
#include "kit/boards/board.hpp"
#include "kit/events/projector.hpp"
#include "larder_economy_scripts.hpp"
#include "systems/economy/economy.hpp"
#include "systems/economy/realm_catalogue.hpp"

namespace larder::economy {

namespace {

redis::Script const read_player_script{lua::read_player};

constexpr std::string_view discombobulate_cooldown = "discombobulate";
constexpr EffectKind all_effects[] = {EffectKind::gain, EffectKind::discombobulate, EffectKind::vampire};
constexpr auto patience = std::chrono::milliseconds(2000);

std::int64_t seconds_of(std::int64_t ms) { return ms <= 0 ? 0 : (ms + 999) / 1000; }

// A score or a number somebody may have written by hand: the whole part.
std::int64_t whole(redis::ReplyView value) {
  if (auto const number = parse_int(value.text())) return *number;
  return value.text().empty() ? 0 : std::int64_t(std::strtod(std::string(value.text()).c_str(), nullptr));
}

}  // namespace

Task<Result<CataloguePtr>> Economy::catalogue(RealmId id) {
  auto const realm = co_await look_up(id);
  if (!realm) co_return std::unexpected(realm.error());
  if (shared_.realms.find(id)) co_await refresh(**realm, (*realm)->catalogue());
  co_return (*realm)->catalogue();
}

Task<Result<PlayerView>> Economy::player(RealmId id, UserId player) {
  PlayerView view{.id = player};
  for (;;) {
    auto const realm = co_await look_up(id);
    if (!realm) co_return std::unexpected(realm.error());
    auto const& keys = (*realm)->keys;
    auto const catalogue = (*realm)->catalogue();
    redis::ScriptCall call;
    call.key(keys.catalogue());
    call.key(keys.leaderboard());
    call.key(keys.name(player));
    call.key(keys.inventory(player));
    call.key(keys.vampire(player));
    for (auto const kind : all_effects) call.key(keys.effect(player, kind));
    call.key(keys.discombobulate_lock(player));
    for (auto const& reward : catalogue->rewards) call.key(keys.reward(player, reward.name));
    call.arg(catalogue->version);
    call.arg(player.str());
    auto const reply = co_await redis_.run(redis::Use::read, read_player_script, call);
    if (reply.at(0).integer() == 3) {
      co_await refresh(**realm, catalogue);
      continue;
    }
    if (!reply.at(1).text().empty()) view.name = std::string(reply.at(1).text());
    view.balance = whole(reply.at(2));
    if (!reply.at(2).text().empty()) view.rank = reply.at(3).integer() + 1;
    auto const inventory = reply.at(4);
    for (std::size_t i = 0; i + 1 < inventory.size(); i += 2) {
      view.inventory[std::string(inventory.at(i).text())] = whole(inventory.at(i + 1));
    }
    if (!reply.at(5).text().empty()) view.vampire_level = whole(reply.at(5));
    std::size_t at = 6;
    for (auto const kind : all_effects) {
      if (!reply.at(at).text().empty()) {
        view.effects.push_back({.kind = kind,
                                .value = whole(reply.at(at)),
                                .seconds_left = seconds_of(reply.at(at + 1).integer())});
      }
      at += 2;
    }
    auto const cooldown = [&] { return seconds_of(reply.at(std::exchange(at, at + 2) + 1).integer()); };
    view.cooldowns[std::string(discombobulate_cooldown)] = cooldown();
    for (auto const& reward : catalogue->rewards) view.cooldowns[reward.name] = cooldown();
    co_return view;
  }
}

Task<Result<std::vector<Standing>>> Economy::leaderboard(RealmId id, std::int64_t limit,
                                                         std::optional<UserId> around) {
  if (auto problem = problem_of(id)) co_return std::unexpected(std::move(*problem));
  RealmKeys const keys(id);
  boards::Board board(redis_, keys.leaderboard());
  auto const places = around ? co_await board.around(around->str(), limit) : co_await board.top(limit);
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

Task<Result<std::vector<EconomyEvent>>> Economy::events(RealmId id, EventQuery query) {
  auto const realm = co_await look_up(id);
  if (!realm) co_return std::unexpected(realm.error());
  shared_.wake_projector(**realm);
  co_await events::caught_up(redis_, (*realm)->keys.points(), patience);
  co_await events::caught_up(redis_, (*realm)->keys.items(), patience);
  co_return co_await shared_.journal.events(std::move(id), std::move(query));
}

}  // namespace larder::economy
