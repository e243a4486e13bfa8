// Rules of tribes: what is accepted can be written and read again, and no number of a game with these rules
// overflows.
#include "fuzz/fuzz.hpp"
#include "systems/tribes/actions.hpp"
#include "systems/tribes/rules.hpp"
#include "systems/tribes/town.hpp"
#include "systems/tribes/town_document.hpp"

namespace larder::tribes {

namespace {

void check_town(Town const& town) {
  LARDER_ASSERT(town.coin_units >= 0 && town.coin_units <= stock_max);
  LARDER_ASSERT(town.pizza_units >= 0 && town.pizza_units <= stock_max);
  LARDER_ASSERT(from_document(to_document(town, 0), town.user) == town);
}

// The largest town that there can be, at the end of a year.
void live(Rules const& rules) {
  auto town = found_town(*UserId::from("ann"), {.x = 1, .y = 1}, rules, {});
  add_coins(town, whole_max / 2);
  for (std::size_t i = 0; i < LotId::names.size(); ++i) {
    auto const building = Building(i % building_names.size());
    town.lots[i] = Lot{.building = building, .level = rules.of(building).level_max()};
  }
  town.population = {
      .uneducated = mice_max, .chefs = mice_max, .salesmice = mice_max, .guards = 1, .thieves = 1};
  for (auto const education : {Education::chef, Education::thief}) {
    std::ignore = act(town, rules, Train{.education = education, .amount = 1000});
  }
  std::ignore = act(town, rules, Raze{LotId::at(2)});
  std::ignore = act(town, rules, Tap{LotId::at(0)});
  for (auto const ms : {1LL, 999LL, 3'600'000LL, 86'400'000LL, 31'536'000'000LL}) {
    advance(town, rules, town.at + ms);
    check_town(town);
    LARDER_ASSERT(next_due(town, rules, true, 0) >= town.at);
    std::ignore = act(town, rules, Cancel{.queue = Queue::training, .index = 0});
  }
  auto const goal = goal_reached_at(town, rules, town.at + 86'400'000);
  LARDER_ASSERT(!goal || *goal >= town.at);
}

}  // namespace

}  // namespace larder::tribes

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace larder;
  auto const rules = tribes::parse_rules(fuzz::text_of(data, size));
  if (!rules) {
    LARDER_ASSERT(!rules.error().detail.empty());
    return 0;
  }
  LARDER_ASSERT(tribes::parse_rules(json::serialize(tribes::to_json(*rules))) == *rules);
  tribes::live(*rules);
  return 0;
}
