#include "systems/economy/economy_scripts.hpp"

#include "base/error.hpp"
#include "kit/events/projector.hpp"
#include "kit/schedule/due_set.hpp"
#include "larder_economy_scripts.hpp"
#include "systems/economy/local_midnight.hpp"

namespace larder::economy::scripts {

namespace {

// The keys and arguments that all moves have come before and after those of the move itself.
redis::ScriptCall begin(redis::Script const& script, Turn const& turn, std::string_view version) {
  auto const& keys = turn.keys;
  auto const& key = turn.move.idempotency_key;
  return redis::ScriptCall(script)
      .keys(keys.points(), keys.items(), keys.catalogue(), keys.leaderboard())
      .args(version, key ? std::string_view(key->fingerprint) : "");
}

redis::ScriptCall begin(redis::Script const& script, Turn const& turn) {
  return begin(script, turn, turn.unborn ? "-" : std::string_view(turn.catalogue.version));
}

redis::ScriptCall end(redis::ScriptCall call, Turn const& turn) {
  if (auto const& key = turn.move.idempotency_key) call.keys(turn.keys.idempotency_key(*key));
  call.args(turn.move.guild_id, turn.seed);
  return call;
}

// Until the next claim.
std::int64_t wait_ms(Reward const& reward, TimeMs now) {
  if (reward.time_zone.empty()) return reward.every_s * 1000;
  return midnight_after(now, reward.time_zone, reward.every_s * 1000 / day_ms) - now;
}

}  // namespace

redis::ScriptCall farm(Turn const& turn, std::string_view name) {
  auto const& keys = turn.keys;
  auto const& player = turn.move.player;
  auto const& [gain, drop_balance_min, drop_faces, cooldown_s] = turn.catalogue.farm;
  auto const& vampire = turn.catalogue.vampire;
  auto const* const guard = turn.catalogue.find_use(UseKind::guard);
  auto call = begin(lua::farm, turn);
  call.keys(keys.name(player), keys.inventory(player), keys.vampire(player),
            keys.effect(player, EffectKind::gain), keys.effect(player, EffectKind::vampire), keys.bomb(),
            keys.drop_rate());
  if (cooldown_s > 0) call.keys(keys.farm_lock(player));
  call.args(player, name, gain, vampire.level_max, turn.catalogue.bomb.damage_percent, drop_balance_min,
            drop_faces, turn.catalogue.drop_total(), vampire.chance_first, vampire.chance_log10,
            vampire.level_ttl_s, vampire.ttl_max_s, vampire.damage_low_tenths, vampire.damage_low_max,
            vampire.damage_high_tenths, vampire.damage_high_max, guard ? std::string_view(guard->id) : "",
            cooldown_s);
  return end(std::move(call), turn);
}

redis::ScriptCall pay(Turn const& turn, UserId const& to, Amount amount) {
  auto call = begin(lua::pay, turn);
  call.args(turn.move.player, to, amount, turn.catalogue.currency);
  return end(std::move(call), turn);
}

redis::ScriptCall claim_reward(Turn const& turn, Reward const& reward) {
  auto call = begin(lua::claim_reward, turn);
  call.keys(turn.keys.reward(turn.move.player, reward.name));
  call.args(turn.move.player, reward.name, reward.points, wait_ms(reward, turn.now));
  return end(std::move(call), turn);
}

redis::ScriptCall gamble(Turn const& turn, std::optional<Amount> amount) {
  auto const& [win_one_in, win_faces, win_divisor] = turn.catalogue.gamble;
  auto call = begin(lua::gamble, turn);
  call.args(turn.move.player);
  amount ? call.args(*amount) : call.args("all");
  call.args(win_one_in, win_faces, win_divisor, turn.catalogue.currency);
  return end(std::move(call), turn);
}

redis::ScriptCall discombobulate(Turn const& turn, UserId const& target, Amount offer) {
  auto const& player = turn.move.player;
  auto const& [offer_min_percent, damage_low, damage_high, lock_s] = turn.catalogue.discombobulate;
  auto call = begin(lua::discombobulate, turn);
  call.keys(turn.keys.discombobulate_lock(player), turn.keys.effect(player, EffectKind::discombobulate));
  call.args(player, target, offer, offer_min_percent, damage_low, damage_high, lock_s,
            turn.catalogue.currency);
  return end(std::move(call), turn);
}

redis::ScriptCall trade(Turn const& turn, UserId const& to, Item const& item, std::int64_t quantity) {
  auto const& keys = turn.keys;
  auto call = begin(lua::trade, turn);
  call.keys(keys.inventory(turn.move.player), keys.inventory(to));
  call.args(turn.move.player, to, item.id, quantity, item.tradable, item.max_stack);
  return end(std::move(call), turn);
}

redis::ScriptCall craft(Turn const& turn, Item const& item) {
  auto const& keys = turn.keys;
  auto call = begin(lua::craft, turn);
  call.keys(keys.inventory(turn.move.player));
  call.args(turn.move.player, item.id, turn.catalogue.currency, item.max_stack);
  for (auto const& cost : item.craft) call.args(cost.item, cost.amount);
  return end(std::move(call), turn);
}

redis::ScriptCall sell(Turn const& turn, Item const& item, std::int64_t quantity) {
  auto call = begin(lua::sell, turn);
  call.keys(turn.keys.inventory(turn.move.player));
  call.args(turn.move.player, item.id, quantity, item.sell);
  return end(std::move(call), turn);
}

redis::ScriptCall use_item(Turn const& turn, Item const& item, std::optional<UserId> const& target) {
  auto const& keys = turn.keys;
  auto const& player = turn.move.player;
  auto const& vampire = turn.catalogue.vampire;
  auto const& use = item.use;
  auto call = begin(lua::use_item, turn);
  call.keys(keys.inventory(player));
  call.args(player, item.id, name_of(use.kind), target ? std::string_view(target->str()) : "");
  switch (use.kind) {
    case UseKind::clear_vampire: call.keys(keys.vampire(player)); break;
    case UseKind::lower_vampire:
      call.keys(keys.vampire(player));
      call.args(use.levels, vampire.level_ttl_s, vampire.ttl_max_s);
      break;
    case UseKind::effect:
      call.keys(keys.effect(target ? *target : player, use.effect));
      call.args(name_of(use.effect), use.effect == EffectKind::gain ? turn.catalogue.farm.gain : 0, use.by,
                use.seconds, use.stacks);
      break;
    case UseKind::radar:
      call.keys(keys.bombs());
      call.args(use.count, turn.now);
      break;
    default: LARDER_ASSERT(false);
  }
  return end(std::move(call), turn);
}

redis::ScriptCall plant_bomb(Turn const& turn, Item const& bomb, std::int64_t seconds) {
  auto const& keys = turn.keys;
  auto call = begin(lua::plant_bomb, turn);
  call.keys(keys.inventory(turn.move.player), keys.bombs(), keys.bombs_schedule());
  call.args(turn.move.player, bomb.id, seconds, turn.catalogue.bomb.spread_s, turn.now);
  return end(std::move(call), turn);
}

redis::ScriptCall inspect(Turn const& turn, UserId const& target) {
  auto call = begin(lua::inspect, turn);
  call.keys(turn.keys.inventory(target));
  call.args(turn.move.player, target, turn.catalogue.inspect_fee, turn.catalogue.currency);
  return end(std::move(call), turn);
}

redis::ScriptCall start_roulette(Turn const& turn, RouletteId const& id) {
  auto call = begin(lua::start_roulette, turn);
  call.keys(turn.keys.roulette(id));
  call.args(id, turn.catalogue.roulette.chambers, turn.catalogue.roulette.ttl_s);
  return end(std::move(call), turn);
}

redis::ScriptCall shoot_roulette(Turn const& turn, RouletteId const& id) {
  auto call = begin(lua::shoot_roulette, turn);
  call.keys(turn.keys.roulette(id));
  call.args(turn.move.player, id);
  return end(std::move(call), turn);
}

redis::ScriptCall adjust(Turn const& turn, Adjustment const& adjustment, AdjustedItems const& items) {
  auto const& keys = turn.keys;
  auto const& player = turn.move.player;
  auto call = begin(lua::adjust, turn);
  call.keys(keys.name(player), keys.inventory(player), keys.vampire(player));
  call.args(player, adjustment.reason, adjustment.points, turn.catalogue.currency,
            adjustment.name.value_or(""), std::size(all_effects));
  for (auto const kind : all_effects) {
    call.keys(keys.effect(player, kind));
    auto const found = adjustment.effects.find(std::string(name_of(kind)));
    if (found == adjustment.effects.end()) {
      call.args("", 0);
    } else if (!found->second) {
      call.args("-", 0);
    } else {
      call.args(found->second->value, found->second->seconds);
    }
  }
  auto const cooldowns = cooldowns_of(keys, turn.catalogue, player);
  call.args(cooldowns.size());
  for (auto const& [name, key] : cooldowns) call.keys(key).args(name);
  for (auto const& [item, by] : items) call.args(item->id, by, item->max_stack);
  return end(std::move(call), turn);
}

redis::ScriptCall delete_player(Turn const& turn) {
  auto const& keys = turn.keys;
  auto const& player = turn.move.player;
  auto call = begin(lua::delete_player, turn);
  call.keys(keys.name(player), keys.inventory(player), keys.vampire(player), keys.bombs(),
            keys.bombs_schedule(), keys.bomb(), keys.imported());
  for (auto const kind : all_effects) call.keys(keys.effect(player, kind));
  for (auto const& cooldown : cooldowns_of(keys, turn.catalogue, player)) call.keys(cooldown.key);
  // Also if there is no cooldown now: an earlier catalogue may have had one.
  if (turn.catalogue.farm.cooldown_s == 0) call.keys(keys.farm_lock(player));
  call.args(player);
  return end(std::move(call), turn);
}

redis::ScriptCall import_players(Turn const& turn, std::span<ImportedPlayer const> players) {
  auto const& keys = turn.keys;
  auto call = begin(lua::import_players, turn);
  call.keys(keys.imported());
  for (auto const& [player, items] : players) {
    call.keys(keys.name(player->id), keys.inventory(player->id));
    call.args(player->id, player->name.value_or(""), player->points, items.size());
    for (auto const& [item, count] : items) call.args(item->id, count);
  }
  return end(std::move(call), turn);
}

redis::ScriptCall recall(Turn const& turn) {
  LARDER_ASSERT(turn.move.idempotency_key);
  return end(begin(lua::recall, turn, ""), turn);
}

redis::ScriptCall arm_bomb(RealmKeys const& keys, UserId const& player, TimeMs now) {
  return redis::ScriptCall(lua::arm_bomb)
      .keys(keys.points(), keys.bombs(), keys.bombs_schedule(), keys.bomb(), keys.bomb_due())
      .args(player, now);
}

redis::ScriptCall read_leaderboard(RealmKeys const& keys, bool known, std::int64_t limit,
                                   std::optional<UserId> const& around) {
  return redis::ScriptCall(lua::read_leaderboard)
      .keys(keys.points(), keys.items(), keys.catalogue(), keys.leaderboard())
      .args(known, limit, around ? std::string_view(around->str()) : "");
}

redis::ScriptCall read_player(RealmKeys const& keys, Catalogue const& catalogue, bool known,
                              UserId const& player) {
  auto call = redis::ScriptCall(lua::read_player)
                  .keys(keys.points(), keys.items(), keys.catalogue(), keys.leaderboard(), keys.name(player),
                        keys.inventory(player), keys.vampire(player))
                  .args(catalogue.version, known, player);
  for (auto const kind : all_effects) call.keys(keys.effect(player, kind));
  for (auto const& cooldown : cooldowns_of(keys, catalogue, player)) call.keys(cooldown.key);
  return call;
}

redis::ScriptCall read_marks(RealmKeys const& keys, UserId const& player) {
  return redis::ScriptCall(lua::read_marks).keys(keys.bombs(), keys.bomb(), keys.imported()).args(player);
}

redis::ScriptCall read_players(RealmKeys const& keys, std::span<UserId const> players) {
  auto call = redis::ScriptCall(lua::read_players).keys(keys.points(), keys.items(), keys.leaderboard());
  for (auto const& player : players) call.keys(keys.inventory(player)).args(player);
  return call;
}

redis::ScriptCall forget_player(RealmKeys const& keys, UserId const& player, UserId const& pseudonym,
                                std::span<std::string const> ends) {
  schedule::DueSetKeys const schedule(keys.bombs_schedule());
  auto call =
      redis::ScriptCall(lua::forget_player)
          .keys(keys.points(), keys.items(), keys.leaderboard(), keys.bomb(), keys.bombs(), schedule.due,
                schedule.failures, schedule.dead, schedule.reasons, keys.name(player), keys.imported())
          .args(player, pseudonym);
  for (auto const& end : ends)
    call.keys(fmt::format("{}:{}", keys.name(player), end), fmt::format("{}:{}", keys.name(pseudonym), end));
  return call;
}

redis::ScriptCall rest_realm(RealmId const& realm, std::string_view mark) {
  return redis::ScriptCall(lua::rest_realm).keys(busy_key).args(realm, mark);
}

redis::ScriptCall close_realm(RealmKeys const& keys, std::string_view closed_version) {
  return redis::ScriptCall(lua::close_realm)
      .keys(keys.catalogue(), keys.bombs(), keys.bombs_schedule())
      .args(closed_version);
}

redis::ScriptCall delete_keys(RealmKeys const& keys, std::string_view closed_version,
                              std::span<std::string const> deleted, std::span<std::string const> players) {
  auto call =
      redis::ScriptCall(lua::delete_keys).keys(keys.catalogue(), keys.leaderboard()).args(closed_version);
  for (auto const& key : deleted) call.keys(key);
  for (auto const& player : players) call.args(player);
  return call;
}

redis::ScriptCall load_catalogue(RealmKeys const& keys, CatalogueChange const& change) {
  auto const& [version_before, before, after, source, inventories, tell] = change;
  auto call =
      redis::ScriptCall(lua::load_catalogue)
          .keys(keys.points(), keys.items(), keys.catalogue(), keys.leaderboard(), keys.catalogue_data(),
                keys.catalogue_source(), keys.drop_rate(), events::projected_key(keys.points()))
          .args(version_before, after.version, after.text, source, before ? before->items.size() : 0,
                after.items.size(), tell);
  auto const add_keys = [&](Item const& item) { call.keys(keys.item(item.id), keys.craft(item.id)); };
  if (before) std::ranges::for_each(before->items, add_keys);
  std::ranges::for_each(after.items, add_keys);
  for (auto const& item : after.items) {
    call.args(item.id, item.max_stack, item.drop, item.craft.size());
    for (auto const& cost : item.craft) call.args(cost.item, cost.amount);
  }
  for (auto const& player : inventories) call.keys(keys.inventory(player)).args(player);
  return call;
}

}  // namespace larder::economy::scripts
