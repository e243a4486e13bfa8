// How many pizzas and coins a town makes while nothing else happens. The numbers are exact, and they do not
// depend on where a span of time is cut. A year costs little more than a day.
#pragma once

#include "systems/tribes/rules.hpp"
#include "systems/tribes/tribes_types.hpp"

#include <cstdint>
#include <optional>

namespace larder::tribes {

// In units per millisecond. Both sales are the smaller one of demand and sales capacity.
struct Rates {
  std::int64_t made = 0;
  std::int64_t sales = 0;
  std::int64_t rush_sales = 0;
  friend bool operator==(Rates const&, Rates const&) = default;
};

// In units, from 0 to stock_max.
struct Stock {
  std::int64_t pizzas = 0;
  std::int64_t coins = 0;
  friend bool operator==(Stock const&, Stock const&) = default;
};

// The places of all finished buildings of a kind: chefs or salesmice that can work there, or beds.
std::int64_t places_of(Town const& town, Rules const& rules, Building building);

// The rates at which the town works now. A ruin does not work.
Rates rates_of(Town const& town, Rules const& rules);

bool is_rush_hour(MouseClock const& clock, GameMs at);

// The stock at `to`, if the stock at `from` is `stock` and the rates do not change. `to` is not before
// `from`.
Stock stock_after(Stock stock, Rates const& rates, Rules const& rules, GameMs from, GameMs to);

// The first moment, from `from` to `to`, at which the stock has `coin_units` or more; nothing if there is
// none.
std::optional<GameMs> coins_reached_at(Stock stock, Rates const& rates, Rules const& rules, GameMs from,
                                       GameMs to, std::int64_t coin_units);

}  // namespace larder::tribes
