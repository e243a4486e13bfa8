#include "systems/economy/catalogue_checks.hpp"

#include "base/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace larder::economy {

Problem wrong(std::string field, std::string_view detail) {
  auto text = fmt::format("{}: {}", field, detail);
  return Error{.code = larder::errors::invalid_request, .detail = std::move(text), .field = std::move(field)};
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

bool same_word(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lower, lower); }

std::string_view without_colons(std::string_view word) {
  bool const framed = word.size() > 2 && word.front() == ':' && word.back() == ':';
  return framed ? word.substr(1, word.size() - 2) : word;
}

std::string word_of(std::string_view name) {
  std::string word(without_colons(name));
  std::ranges::transform(word, word.begin(), lower);
  return word;
}

namespace {

constexpr std::int64_t seconds_of_a_day = 86'400;

Problem problem_of_damages(Catalogue const& game) {
  if (game.discombobulate.damage_low > game.discombobulate.damage_high) {
    return wrong("discombobulate.damage_low", "must not be above damage_high");
  }
  auto const& vampire = game.vampire;
  if (vampire.damage_low_tenths > vampire.damage_high_tenths) {
    return wrong("vampire.damage_low_tenths", "must not be above damage_high_tenths");
  }
  if (vampire.damage_low_max > vampire.damage_high_max) {
    return wrong("vampire.damage_low_max", "must not be above damage_high_max");
  }
  // A range like 1.5 to 1.9 is in order, but contains no whole number to draw.
  for (std::int64_t level = 1; level <= vampire.level_max; ++level) {
    auto const low = std::min((vampire.damage_low_tenths * level + 9) / 10, vampire.damage_low_max);
    auto const high = std::min(vampire.damage_high_tenths * level / 10, vampire.damage_high_max);
    if (low > high) {
      return wrong("vampire.damage_low_tenths",
                   fmt::format("at level {} there is no whole percentage between the damages", level));
    }
  }
  return {};
}

Problem problem_of_rewards(Catalogue const& game) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < game.rewards.size(); ++i) {
    auto const& reward = game.rewards[i];
    auto const& name = reward.name;
    if (!seen.insert(name).second) {
      return wrong(fmt::format("rewards[{}].name", i), fmt::format("{} is taken by another reward", name));
    }
    if (game.farm.cooldown_s > 0 && name == farm_cooldown) {
      return wrong(fmt::format("rewards[{}].name", i), fmt::format("{} is taken by farm.cooldown_s", name));
    }
    if (!reward.time_zone.empty() && reward.every_s % seconds_of_a_day != 0) {
      return wrong(fmt::format("rewards[{}].every_s", i),
                   fmt::format("must be whole days (a multiple of {}), because there is a time_zone",
                               seconds_of_a_day));
    }
  }
  return {};
}

// A word that a player types must mean at most one item.
Problem problem_of_words(Catalogue const& game) {
  std::map<std::string, std::string> taken = {{word_of(game.currency), "currency"}};
  auto take = [&](std::string_view name, std::string field) -> Problem {
    auto const [by, is_new] = taken.emplace(word_of(name), field);
    if (is_new) return {};
    return wrong(std::move(field), fmt::format("{} is taken by {}", name, by->second));
  };
  for (std::size_t i = 0; i < game.items.size(); ++i) {
    auto const& item = game.items[i];
    if (auto problem = take(item.id, fmt::format("items[{}].id", i))) return problem;
    for (std::size_t k = 0; k < item.names.size(); ++k) {
      if (item.names[k] == word_of(item.id)) continue;
      if (auto problem = take(item.names[k], fmt::format("items[{}].names[{}]", i, k))) return problem;
    }
  }
  return {};
}

Problem problem_of_drops(Catalogue const& game) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < game.items.size(); ++i) {
    sum += game.items[i].drop;
    if (sum > game.farm.drop_faces) {
      return wrong(fmt::format("items[{}].drop", i),
                   fmt::format("with it all drops are {}, above farm.drop_faces", sum));
    }
  }
  return {};
}

Problem problem_of_crafts(Catalogue const& game) {
  std::map<std::string_view, std::int64_t> can_own = {{game.currency, limits::amount_max}};
  for (auto const& item : game.items) can_own.emplace(item.id, item.max_stack);
  for (std::size_t i = 0; i < game.items.size(); ++i) {
    auto const& item = game.items[i];
    std::set<std::string_view> costs;
    for (std::size_t k = 0; k < item.craft.size(); ++k) {
      auto const& cost = item.craft[k];
      auto const path = fmt::format("items[{}].craft[{}]", i, k);
      auto const most = can_own.find(cost.item);
      if (most == can_own.end()) {
        return wrong(path + ".item", fmt::format("there is no item {}", cost.item));
      }
      if (cost.item == item.id) return wrong(path + ".item", "an item cannot be made of itself");
      if (!costs.insert(cost.item).second) {
        return wrong(path + ".item", fmt::format("{} appears twice", cost.item));
      }
      if (cost.amount > most->second) {
        return wrong(path + ".amount",
                     fmt::format("nobody can own more than {} {}", most->second, cost.item));
      }
    }
  }
  return {};
}

Problem problem_of_uses(Catalogue const& game) {
  std::map<UseKind, std::string_view> only;
  for (std::size_t i = 0; i < game.items.size(); ++i) {
    auto const& item = game.items[i];
    if (item.use.kind != UseKind::bomb && item.use.kind != UseKind::guard) continue;
    auto const [other, is_new] = only.emplace(item.use.kind, item.id);
    if (!is_new) {
      return wrong(fmt::format("items[{}].use.kind", i), fmt::format("only one item can be a {}, and {} is",
                                                                     name_of(item.use.kind), other->second));
    }
  }
  return {};
}

}  // namespace

Problem problem_of_game(Catalogue const& game) {
  for (auto* const problem_of : {problem_of_damages, problem_of_rewards, problem_of_words, problem_of_drops,
                                 problem_of_crafts, problem_of_uses}) {
    if (auto problem = problem_of(game)) return problem;
  }
  return {};
}

}  // namespace larder::economy
