#include "systems/tribes/actions.hpp"

#include "systems/tribes/town.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::tribes {

namespace {

std::unexpected<Error> refuse_lot(ErrorCode code, LotId lot, std::string_view why) {
  return refuse(code, fmt::format("lot {} {}", lot.str(), why));
}

std::unexpected<Error> queue_is_full(Queue queue, std::int64_t max) {
  return refuse(errors::queue_full,
                fmt::format("the {} queue has at most {} elements", queue_names[std::size_t(queue)], max));
}

// The price of all mice of a training can be above what an answer, or a town, can have.
Result<void> check_price(Town const& town, __int128 coins) {
  if (coins <= town.coins()) return {};
  auto const needs = std::int64_t(std::min<__int128>(coins, limits::amount_max));
  auto refusal = refuse(errors::not_enough_coins,
                        fmt::format("this costs {} coins, and the town has {}", needs, town.coins()));
  refusal.error().more["needs"] = needs;
  return refusal;
}

void pay(Town& town, std::int64_t coins) { town.coin_units -= coins * units_per_whole; }

struct Work {
  LotId lot;
  Building building;
  int level;
  bool razing = false;
  std::int64_t cost;
  std::int64_t ms;
};

Result<void> enqueue(Town& town, Rules const& rules, Work const& work) {
  auto& queue = town.constructions;
  if (std::ssize(queue) >= rules.queues.constructions_max) {
    return queue_is_full(Queue::construction, rules.queues.constructions_max);
  }
  if (auto affordable = check_price(town, work.cost); !affordable) return affordable;
  pay(town, work.cost);
  auto const begin = queue.empty() ? town.at : queue.back().complete_at;
  queue.push_back({.complete_at = begin + work.ms,
                   .lot = work.lot,
                   .building = work.building,
                   .level = work.level,
                   .razing = work.razing,
                   .cost = work.cost});
  return {};
}

bool has_building(Town const& town, Building building) {
  return std::ranges::any_of(town.lots, [&](auto const& lot) { return lot && lot->building == building; });
}

bool is_first(Town const& town, Building building) {
  return !has_building(town, building) &&
         std::ranges::none_of(town.constructions, [&](Construction const& queued) {
           return !queued.razing && queued.building == building;
         });
}

Result<void> cancel_construction(Town& town, Rules const& rules, std::size_t index) {
  auto& queue = town.constructions;
  auto const cancelled = queue[index];
  auto const later = queue.begin() + std::ptrdiff_t(index) + 1;
  if (std::ranges::find(later, queue.end(), cancelled.lot, &Construction::lot) != queue.end()) {
    return refuse_lot(errors::lot_busy, cancelled.lot, "has later work in the queue; cancel that first");
  }
  bool const has_begun = index == 0;
  auto const begin = has_begun ? town.at : queue[index - 1].complete_at;
  auto const saved_ms = cancelled.complete_at - begin;
  std::for_each(later, queue.end(), [&](Construction& moved) { moved.complete_at.value -= saved_ms; });
  queue.erase(later - 1);
  auto const percent = has_begun ? rules.queues.begun_refund_percent : 100;
  add_coins(town, cancelled.cost * percent / 100);
  return {};
}

void cancel_training(Town& town, Rules const& rules, std::size_t index) {
  auto const cancelled = town.trainings[index];
  town.trainings.erase(town.trainings.begin() + std::ptrdiff_t(index));
  add_mice(town.population.uneducated, cancelled.amount);
  add_coins(town, cancelled.cost * rules.queues.begun_refund_percent / 100);
}

}  // namespace

std::optional<Lot> planned_lot(Town const& town, LotId lot) {
  auto planned = town.lot(lot);
  for (auto const& queued : town.constructions) {
    if (queued.lot != lot) continue;
    if (queued.razing) {
      planned.reset();
    } else {
      if (!planned) planned = Lot{.building = queued.building};
      planned->level = queued.level;
    }
  }
  return planned;
}

Result<void> construct(Town& town, Rules const& rules, Construct const& action) {
  if (planned_lot(town, action.lot)) return refuse_lot(errors::lot_taken, action.lot, "has a building");
  auto const& building = rules.of(action.building);
  bool const first = is_first(town, action.building);
  auto const& level = building.at_level(1);
  return enqueue(town, rules,
                 {.lot = action.lot,
                  .building = action.building,
                  .level = 1,
                  .cost = first ? building.first.cost : level.cost,
                  .ms = 1'000 * (first ? building.first.seconds : level.seconds)});
}

Result<void> upgrade(Town& town, Rules const& rules, Upgrade const& action) {
  auto const planned = planned_lot(town, action.lot);
  if (!planned) return refuse_lot(errors::lot_empty, action.lot, "has no building");
  auto const& building = rules.of(planned->building);
  if (planned->level >= building.level_max()) {
    return refuse_lot(errors::max_level, action.lot,
                      fmt::format("has a {} of the highest level", name_of(planned->building)));
  }
  auto const& level = building.at_level(planned->level + 1);
  return enqueue(town, rules,
                 {.lot = action.lot,
                  .building = planned->building,
                  .level = planned->level + 1,
                  .cost = level.cost,
                  .ms = 1'000 * level.seconds});
}

Result<void> raze(Town& town, Rules const& rules, Raze const& action) {
  auto const planned = planned_lot(town, action.lot);
  if (!planned) return refuse_lot(errors::lot_empty, action.lot, "has no building");
  auto const& level = rules.of(planned->building).at_level(planned->level);
  return enqueue(town, rules,
                 {.lot = action.lot,
                  .building = planned->building,
                  .level = planned->level,
                  .razing = true,
                  .cost = level.cost * rules.razing.cost_percent / 100,
                  .ms = 10 * level.seconds * rules.razing.time_percent});
}

Result<void> train(Town& town, Rules const& rules, Train const& action) {
  LARDER_ASSERT(action.amount > 0);
  auto& mice = town.population;
  if (!has_building(town, Building::school)) {
    return refuse(errors::no_school, "the town has no school");
  }
  if (mice.uneducated < action.amount) {
    return refuse(errors::too_few_uneducated,
                  fmt::format("the town has {} uneducated mice", mice.uneducated));
  }
  auto const& education = rules.of(action.education);
  auto const price = __int128(education.cost) * action.amount;
  if (auto affordable = check_price(town, price); !affordable) return affordable;
  if (std::ssize(town.trainings) >= rules.queues.trainings_max) {
    return queue_is_full(Queue::training, rules.queues.trainings_max);
  }
  auto const cost = std::int64_t(price);
  pay(town, cost);
  mice.uneducated -= action.amount;
  town.trainings.push_back({.complete_at = town.at + 1'000 * education.seconds,
                            .education = action.education,
                            .amount = action.amount,
                            .cost = cost});
  return {};
}

Result<void> tap(Town& town, Rules const& rules, Tap const& action) {
  auto& lot = town.lot(action.lot);
  if (!lot) return refuse_lot(errors::lot_empty, action.lot, "has no building");
  if (lot->building != Building::kitchen && lot->building != Building::shop) {
    return refuse_lot(errors::not_tappable, action.lot,
                      fmt::format("has a {}; only kitchens and shops can be tapped", name_of(lot->building)));
  }
  auto const ready_at = lot->tapped_at ? *lot->tapped_at + 1'000 * rules.taps.every_s : town.at;
  if (ready_at > town.at) {
    auto const seconds_left = (ready_at - town.at + 999) / 1'000;
    auto refusal = refuse_lot(errors::tapped_too_soon, action.lot,
                              fmt::format("can be tapped again in {} s", seconds_left));
    refusal.error().more["seconds_left"] = seconds_left;
    return refusal;
  }
  lot->tapped_at = town.at;
  auto const inhabitants = town.population.inhabitants();
  if (lot->building == Building::kitchen) {
    add_pizzas(town, inhabitants * rules.taps.pizzas);
  } else {
    add_coins(town, inhabitants * rules.taps.coins);
  }
  return {};
}

Result<void> cancel(Town& town, Rules const& rules, Cancel const& action) {
  if (action.queue == Queue::travel) {
    return refuse(errors::not_cancellable, "thieves on their way cannot be called back");
  }
  bool const of_constructions = action.queue == Queue::construction;
  auto const size = of_constructions ? std::ssize(town.constructions) : std::ssize(town.trainings);
  if (action.index < 0 || action.index >= size) {
    return refuse(errors::no_such_element,
                  fmt::format("the {} queue has {} elements", queue_names[std::size_t(action.queue)], size));
  }
  if (of_constructions) return cancel_construction(town, rules, std::size_t(action.index));
  cancel_training(town, rules, std::size_t(action.index));
  return {};
}

Result<void> act(Town& town, Rules const& rules, Action const& action) {
  struct Visitor {
    Town& town;
    Rules const& rules;
    Result<void> operator()(Construct const& a) const { return construct(town, rules, a); }
    Result<void> operator()(Upgrade const& a) const { return upgrade(town, rules, a); }
    Result<void> operator()(Raze const& a) const { return raze(town, rules, a); }
    Result<void> operator()(Train const& a) const { return train(town, rules, a); }
    Result<void> operator()(Tap const& a) const { return tap(town, rules, a); }
    Result<void> operator()(Cancel const& a) const { return cancel(town, rules, a); }
    Result<void> operator()(Steal const&) const { return LARDER_ASSERT(false), Result<void>{}; }
  };
  return std::visit(Visitor{town, rules}, action);
}

}  // namespace larder::tribes
