#include "model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <stdexcept>

namespace larder::economy {

namespace {

struct ModelItem {
  std::string id;
  std::int64_t drop, stack;
  std::map<std::string, std::int64_t> craft;
};

// The items of the ajo game, in the order of the catalogue.
std::vector<ModelItem> const table = {{":sauropod:", 1, 1, {}},
                                      {":chopsticks:", 250, 5, {}},
                                      {":cross:", 500, 10, {{":herb:", 4}}},
                                      {":bomb:", 900, 1, {}},
                                      {":herb:", 4000, 20, {}},
                                      {":reminder_ribbon:", 0, 1, {{"points", 50}}},
                                      {":athletic_shoe:", 300, 1, {}},
                                      {":eggplant:", 300, 1, {}},
                                      {":bone:", 2500, 206, {}},
                                      {":tooth:", 2000, 32, {}},
                                      {":magic_wand:", 0, 1, {{":bone:", 5}, {":tooth:", 2}}},
                                      {":satellite:", 0, 4, {{":gear:", 3}}},
                                      {":gear:", 600, 20, {{"points", 15}}}};

ModelItem const& item_of(std::string const& id) {
  for (auto const& item : table) {
    if (item.id == id) return item;
  }
  throw std::runtime_error("the model knows no " + id);
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::string roll(std::uint32_t seed, std::vector<std::int64_t> const& values) {
  return fmt::format("[{}: {}]", seed, fmt::join(values, " "));
}

}  // namespace

std::int64_t Draws::next(std::int64_t low, std::int64_t high) {
  state_ = (state_ * 0x5DEECE66D + 0xB) & ((std::uint64_t(1) << 48U) - 1);
  auto const r = double((state_ >> 17U) % 2147483647) / 2147483647.0;
  values.push_back(std::int64_t(std::floor(r * double(high - low + 1))) + low);
  return values.back();
}

void Model::open(std::string const& player, std::int64_t points, std::map<std::string, std::int64_t> items) {
  players[player].balance = points;
  if (points != 0) ++events["opening"];
  events["items opening"] += std::int64_t(items.size());
  players[player].items = std::move(items);
}

void Model::points(std::string const& player, std::int64_t by, std::string const& type) {
  if (by == 0) return;
  players[player].balance += by;
  ++events[type];
  if (players[player].balance < 0) throw std::runtime_error("the model went below 0 by " + type);
}

void Model::item(std::string const& player, std::string const& item, std::int64_t by,
                 std::string const& type) {
  auto& items = players[player].items;
  auto const count = items[item] += by;
  if (count < 0 || count > item_of(item).stack)
    throw std::runtime_error("a stack of the model is wrong by " + type);
  if (count == 0) items.erase(item);
  ++events["items " + type];
}

std::int64_t Model::owned(std::string const& player, std::string const& item) {
  auto const& items = players[player].items;
  auto const found = items.find(item);
  return found == items.end() ? 0 : found->second;
}

std::string Model::apply(Asked const& asked, std::uint32_t seed, std::int64_t now) {
  if (auto const kept = answers_.find(asked.idempotency_key);
      !asked.idempotency_key.empty() && kept != answers_.end()) {
    return kept->second + " again";
  }
  Draws draws(seed);
  auto answer = decide(asked, draws, now);
  using enum Asked::Kind;
  if (asked.kind == start_roulette) {
    roulettes_[asked.item] = {.left = draws.values[0], .drawn = draws.values[0], .seed = seed};
  } else if (answer.starts_with("ok") && (asked.kind == farm || asked.kind == gamble ||
                                          asked.kind == discombobulate || asked.kind == plant_bomb)) {
    answer += ' ' + roll(seed, draws.values);
  }
  if (!asked.idempotency_key.empty()) answers_[asked.idempotency_key] = answer;
  return answer;
}

std::string Model::decide(Asked const& asked, Draws& draws, std::int64_t now) {
  auto& me = players[asked.player];
  switch (asked.kind) {
    case Asked::Kind::farm: return farm(asked, draws);
    case Asked::Kind::pay: return pay(asked);
    case Asked::Kind::claim: {
      if (me.claimed[asked.item]) return "reward_not_ready";
      me.claimed[asked.item] = true;
      auto const reward = asked.item == "daily" ? 32 : 256;
      points(asked.player, reward, "timely_reward");
      return fmt::format("ok {} {}", reward, me.balance);
    }
    case Asked::Kind::gamble: {
      auto const amount = asked.amount == 0 ? me.balance : asked.amount;
      if (amount > me.balance || amount == 0) return "insufficient_balance";
      auto const change = draws.next(1, 4) == 1 ? ceil_div(draws.next(1, 100) * amount, 40) : -amount;
      points(asked.player, change, "gamble");
      return fmt::format("ok {} {}", change, me.balance);
    }
    case Asked::Kind::discombobulate: return discombobulate(asked, draws);
    case Asked::Kind::trade: return trade(asked);
    case Asked::Kind::craft: return craft(asked);
    case Asked::Kind::use: return use(asked, now);
    case Asked::Kind::plant_bomb: {
      if (owned(asked.player, ":bomb:") < 1) return "not_enough_items";
      auto const due = now + std::max<std::int64_t>(asked.amount * 1000 + draws.next(-210'000, 210'000), 0);
      item(asked.player, ":bomb:", -1, "item_used");
      planted[asked.player] = due;
      return fmt::format("ok 0 {}", due);
    }
    case Asked::Kind::inspect: {
      if (me.balance < 10) return "insufficient_balance";
      points(asked.player, -10, "inventory_fee");
      std::string seen;
      for (auto const& [id, count] : players[asked.other].items) seen += fmt::format(" {}={}", id, count);
      return fmt::format("ok {}{}", me.balance, seen);
    }
    case Asked::Kind::start_roulette: draws.next(1, 6); return "ok";
    case Asked::Kind::shoot: return shoot(asked);
  }
  return {};
}

std::string Model::pay(Asked const& asked) {
  auto& me = players[asked.player];
  if (asked.player == asked.other) return "self_target";
  if (asked.amount > me.balance) return "insufficient_balance";
  points(asked.player, -asked.amount, "payer");
  points(asked.other, asked.amount, "payee");
  return fmt::format("ok {} {}", me.balance, players[asked.other].balance);
}

std::string Model::discombobulate(Asked const& asked, Draws& draws) {
  auto& me = players[asked.player];
  if (asked.player == asked.other) return "self_target";
  auto& target = players[asked.other];
  if (me.locked) return "on_cooldown";
  if (asked.amount > me.balance) return "insufficient_balance";
  if (asked.amount < ceil_div(35 * target.balance, 100)) return "offer_too_low";
  auto const percent = draws.next(69, 200);
  auto const damage = std::min((percent + me.buff.value_or(0)) * asked.amount / 100, target.balance);
  points(asked.player, -asked.amount, "discombobulator");
  points(asked.other, -damage, "discombobulatee");
  me.locked = true;
  return fmt::format("ok {} {} {} {}", damage, me.balance, target.balance, percent * 1800);
}

std::string Model::trade(Asked const& asked) {
  if (asked.player == asked.other) return "self_target";
  if (asked.item == ":magic_wand:") return "not_tradable";
  if (asked.amount > owned(asked.player, asked.item)) return "not_enough_items";
  if (owned(asked.other, asked.item) + asked.amount > item_of(asked.item).stack) return "stack_full";
  item(asked.player, asked.item, -asked.amount, "trader");
  item(asked.other, asked.item, asked.amount, "tradee");
  return fmt::format("ok {} {} {}", asked.item, owned(asked.player, asked.item),
                     owned(asked.other, asked.item));
}

std::string Model::shoot(Asked const& asked) {
  auto& me = players[asked.player];
  auto const found = roulettes_.find(asked.item);
  if (found == roulettes_.end()) return "roulette_not_found";
  if (--found->second.left > 0) return fmt::format("ok survived 0 {}", me.balance);
  auto const lost = me.balance;
  points(asked.player, -lost, "ded");
  auto const answer = fmt::format("ok shot {} 0 {}", lost, roll(found->second.seed, {found->second.drawn}));
  roulettes_.erase(found);
  return answer;
}

std::string Model::farm(Asked const& asked, Draws& draws) {
  auto& me = players[asked.player];
  me.name = asked.name;
  std::int64_t gained = 0;
  std::string drop = "-";
  std::string bite = "-";
  std::string blast = "-";
  auto const level = me.vampire.value_or(1);
  if (level > 69) {
  } else if (!pending.empty()) {
    auto const damage = me.balance * 18 / 100;
    blast = fmt::format("{}/{}", pending, damage);
    pending.clear();
    points(asked.player, -damage, "bomb");
  } else {
    gained = me.gain.value_or(1);
    points(asked.player, gained, "farm");
    if (me.balance >= 50) {
      auto const face = draws.next(1, 100'000);
      std::int64_t sum = 0;
      for (auto const& found : table) {
        sum += found.drop;
        if (face > sum) continue;
        if (owned(asked.player, found.id) < found.stack) {
          item(asked.player, found.id, 1, "item_earned");
          drop = fmt::format("{}/{}", found.id, owned(asked.player, found.id));
        }
        break;
      }
    }
    auto const chance = (level == 1 ? 1.0 : 20 * std::log10(double(level))) + double(me.curse.value_or(0));
    if (chance >= double(draws.next(0, 99))) {
      std::int64_t damage = 0;
      bool const guarded = owned(asked.player, ":reminder_ribbon:") > 0;
      if (guarded) {
        item(asked.player, ":reminder_ribbon:", -1, "item_used");
      } else {
        auto const percent = draws.next(ceil_div(std::min<std::int64_t>(12 * level, 300), 10),
                                        std::min<std::int64_t>(2 * level, 40));
        damage = ceil_div(me.balance * percent, 100);
        points(asked.player, -damage, "vampire");
      }
      me.vampire = level + 1;
      bite = fmt::format("{}/{}/{}", level, damage, int(guarded));
    }
  }
  return fmt::format("ok {} {} {} {} {}", gained, me.balance, drop, bite, blast);
}

std::string Model::craft(Asked const& asked) {
  auto& me = players[asked.player];
  auto const& made = item_of(asked.item);
  if (made.craft.empty()) return "not_craftable";
  if (owned(asked.player, made.id) >= made.stack) return "stack_full";
  bool items_missing = false;
  for (auto const& [what, price] : made.craft) {
    if (what == "points" && price > me.balance) return "insufficient_balance";
    if (what != "points" && price > owned(asked.player, what)) items_missing = true;
  }
  if (items_missing) return "not_enough_items";
  for (auto const& [what, price] : made.craft) {
    if (what == "points") {
      points(asked.player, -price, "craft_fee");
    } else {
      item(asked.player, what, -price, "craft_fee");
    }
  }
  item(asked.player, made.id, 1, "item_crafted");
  return fmt::format("ok {} {} {}", made.id, owned(asked.player, made.id), me.balance);
}

std::string Model::use(Asked const& asked, std::int64_t now) {
  auto& me = players[asked.player];
  bool const usable = asked.item == ":chopsticks:" || asked.item == ":cross:" ||
                      asked.item == ":athletic_shoe:" || asked.item == ":eggplant:" ||
                      asked.item == ":magic_wand:" || asked.item == ":satellite:";
  if (!usable) return "not_usable";
  if (asked.item == ":magic_wand:" && asked.player == asked.other) return "self_target";
  if (owned(asked.player, asked.item) < 1) return "not_enough_items";
  if (asked.item == ":cross:" && me.vampire.value_or(1) < 2) return "not_usable";
  item(asked.player, asked.item, -1, "item_used");
  auto const left = owned(asked.player, asked.item);
  if (asked.item == ":chopsticks:") {
    me.vampire.reset();
    return fmt::format("ok {} {} level 1", asked.item, left);
  }
  if (asked.item == ":cross:") {
    me.vampire = *me.vampire - 1;
    return fmt::format("ok {} {} level {}", asked.item, left, *me.vampire);
  }
  if (asked.item == ":satellite:") {
    std::vector<std::pair<std::int64_t, std::string>> next;
    for (auto const& [owner, due] : planted) next.emplace_back(due, owner);
    std::ranges::sort(next);
    std::string told;
    for (std::size_t i = 0; i < std::min<std::size_t>(next.size(), 5); ++i) {
      auto const left_ms = std::max<std::int64_t>(next[i].first - now, 0);
      told += fmt::format(" {}/{}", next[i].second, ceil_div(left_ms, 1000));
    }
    return fmt::format("ok {} {} bombs{}", asked.item, left, told);
  }
  auto& effect = asked.item == ":athletic_shoe:" ? me.gain
                 : asked.item == ":eggplant:"    ? me.buff
                                                 : players[asked.other].curse;
  if (asked.item == ":athletic_shoe:") {
    effect = effect.value_or(1) + 1;
  } else {
    effect = asked.item == ":eggplant:" ? 31 : 12;
  }
  return fmt::format("ok {} {} effect {} {}", asked.item, left, *effect,
                     asked.item == ":magic_wand:" ? 7200 : 600);
}

void Model::arm_bomb(std::string const& player, std::int64_t now) {
  auto const found = planted.find(player);
  if (found == planted.end() || found->second > now) return;
  auto const due = found->second;
  planted.erase(found);
  if (!pending.empty() && pending_due_ > due) return;
  pending = player;
  pending_due_ = due;
}

}  // namespace larder::economy
