#include "systems/tribes/production.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace larder::tribes {

namespace {

// Rates of up to 10^13 units per millisecond, over all of game time, at any price: below 2^127.
using Wide = __int128;

// What a span of time does to any stock of pizzas S:
//   S becomes clamp(S + net, low, high), and of the pizzas that are wanted, unsold + max(0, edge - S) are not
//   sold.
// Two spans in a row also form such a span. So a day that is doubled n times is 2^n days.
struct Flow {
  Wide wanted;
  Wide net;
  Wide low;
  Wide high;
  Wide unsold;
  Wide edge;
};

Flow flow_of(Wide made, Wide wanted) {
  auto const net = made - wanted;
  return {.wanted = wanted, .net = net, .low = 0, .high = stock_max, .unsold = 0, .edge = -net};
}

Flow in_a_row(Flow const& a, Flow const& b) {
  // After `a` the stock is between a.low and a.high. Only there does b.edge matter.
  auto const b_edge = std::clamp(b.edge, a.low, a.high);
  return {.wanted = a.wanted + b.wanted,
          .net = a.net + b.net,
          .low = std::clamp(a.low + b.net, b.low, b.high),
          .high = std::clamp(a.high + b.net, b.low, b.high),
          .unsold = a.unsold + b.unsold + std::max<Wide>(0, b.edge - a.high),
          // If `a` ends with the same stock anyway, the stock before `a` makes no difference for `b`.
          .edge = a.low == a.high ? a.edge : b_edge - a.net};
}

Stock after(Stock stock, Flow const& flow, Rules const& rules) {
  auto const unsold = flow.unsold + std::max<Wide>(0, flow.edge - stock.pizzas);
  auto const earned = (flow.wanted - unsold) * rules.production.pizza_price;
  return {.pizzas = std::int64_t(std::clamp(stock.pizzas + flow.net, flow.low, flow.high)),
          .coins = std::int64_t(std::min<Wide>(stock_max, stock.coins + earned))};
}

// A part of a mouse day in which the demand is the same.
struct Phase {
  std::int64_t end_ms;  // within the day
  bool rush;
};

Phase phase_at(MouseClock const& clock, std::int64_t ms_of_day) {
  auto const hour_ms = clock.hour_ms();
  for (auto const& hours : clock.rush_hours) {
    if (ms_of_day < hours.from * hour_ms) return {hours.from * hour_ms, false};
    if (ms_of_day < hours.to * hour_ms) return {hours.to * hour_ms, true};
  }
  return {clock.day_ms(), false};
}

// Calls use(flow) for each phase between the two moments, in order.
void each_phase(Rates const& rates, MouseClock const& clock, GameMs from, GameMs to, auto&& use) {
  while (from < to) {
    auto const ms_of_day = from.value % clock.day_ms();
    auto const phase = phase_at(clock, ms_of_day);
    auto const ms = std::min(phase.end_ms - ms_of_day, to - from);
    use(flow_of(Wide(rates.made) * ms, Wide(phase.rush ? rates.rush_sales : rates.sales) * ms));
    from = from + ms;
  }
}

Flow flow_of_a_day(Rates const& rates, MouseClock const& clock) {
  std::optional<Flow> day;
  each_phase(rates, clock, {}, {clock.day_ms()},
             [&](Flow const& phase) { day = day ? in_a_row(*day, phase) : phase; });
  return *day;
}

}  // namespace

std::int64_t places_of(Town const& town, Rules const& rules, Building building) {
  std::int64_t places = 0;
  for (auto const& lot : town.lots) {
    if (lot && lot->building == building) places += rules.of(building).at_level(lot->level).capacity;
  }
  return places;
}

Rates rates_of(Town const& town, Rules const& rules) {
  if (town.ruin) return {};
  auto const& mice = town.population;
  auto const employed = [&](std::int64_t educated, Education education) {
    return std::min(educated, places_of(town, rules, rules.of(education).workplace));
  };
  auto const& production = rules.production;
  auto const capacity = employed(mice.salesmice, Education::salesmouse) * production.salesmouse_rate;
  return {.made = employed(mice.chefs, Education::chef) * production.chef_rate,
          .sales = std::min(capacity, mice.inhabitants() * production.demand_rate),
          .rush_sales = std::min(capacity, mice.inhabitants() * production.rush_demand_rate)};
}

bool is_rush_hour(MouseClock const& clock, GameMs at) {
  return phase_at(clock, at.value % clock.day_ms()).rush;
}

Stock stock_after(Stock stock, Rates const& rates, Rules const& rules, GameMs from, GameMs to) {
  LARDER_ASSERT(from <= to);
  auto const& clock = rules.mouse_clock;
  auto const use = [&](Flow const& flow) { stock = after(stock, flow, rules); };
  auto const day_ms = clock.day_ms();
  if (to - from > 2 * day_ms) {
    GameMs const midnight{(from.value / day_ms + 1) * day_ms};
    each_phase(rates, clock, from, midnight, use);
    auto const days = (to - midnight) / day_ms;
    auto flow = flow_of_a_day(rates, clock);
    for (auto left = days; left > 0; left /= 2) {
      if (left % 2 == 1) use(flow);
      flow = in_a_row(flow, flow);
    }
    from = midnight + days * day_ms;
  }
  each_phase(rates, clock, from, to, use);
  return stock;
}

std::optional<GameMs> coins_reached_at(Stock stock, Rates const& rates, Rules const& rules, GameMs from,
                                       GameMs to, std::int64_t coin_units) {
  auto const reached = [&](std::int64_t ms) {
    return stock_after(stock, rates, rules, from, from + ms).coins >= coin_units;
  };
  if (!reached(to - from)) return std::nullopt;
  // Coins never decrease, so a binary search finds the moment.
  std::int64_t low = 0;
  std::int64_t high = to - from;
  while (low < high) {
    auto const middle = low + (high - low) / 2;
    if (reached(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return from + high;
}

}  // namespace larder::tribes
