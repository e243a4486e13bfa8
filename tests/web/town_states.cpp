// Prints random towns, one JSON object on each line, and what the rules of the server make of them: the town
// after some time, and what actions would cost. The test of the browser's rules (web/test/rules.test.ts)
// computes the same. A line with `rules` counts for all towns after it. LARDER_SEED chooses other towns.
#include "systems/tribes/tribes_rules_test.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace larder::tribes::test {
namespace {

constexpr int towns_count = 10'000;
constexpr int towns_of_rules = 500;
constexpr std::int64_t day_ms = 86'400'000;

template <class Element, class Write>
json::array list_of(std::vector<Element> const& elements, Write write) {
  json::array out;
  for (auto const& element : elements) out.push_back(write(element));
  return out;
}

json::object lots_of(Town const& town) {
  json::object out;
  for (std::size_t i = 0; i < town.lots.size(); ++i) {
    auto const& lot = town.lots[i];
    if (!lot) continue;
    out[LotId::names[i]] = {
        {"building", name_of(lot->building)},
        {"level", lot->level},
        {"tappedAt", lot->tapped_at ? json::value(lot->tapped_at->value) : json::value()}};
  }
  return out;
}

json::object shown(Town const& town) {
  auto const& mice = town.population;
  return {{"at", town.at.value},
          {"coinUnits", fmt::to_string(town.coin_units)},
          {"pizzaUnits", fmt::to_string(town.pizza_units)},
          {"lots", lots_of(town)},
          {"population",
           {{"uneducated", mice.uneducated},
            {"chefs", mice.chefs},
            {"salesmice", mice.salesmice},
            {"guards", mice.guards},
            {"thieves", mice.thieves}}},
          {"constructions", list_of(town.constructions,
                                    [](Construction const& queued) {
                                      return json::object{{"completeAt", queued.complete_at.value},
                                                          {"lot", queued.lot.str()},
                                                          {"building", name_of(queued.building)},
                                                          {"level", queued.level},
                                                          {"razing", queued.razing}};
                                    })},
          {"trainings", list_of(town.trainings,
                                [](Training const& training) {
                                  return json::object{{"completeAt", training.complete_at.value},
                                                      {"education", name_of(training.education)},
                                                      {"amount", training.amount}};
                                })},
          {"travels", list_of(town.travels,
                              [](Travel const& travel) {
                                return json::object{{"arrivalAt", travel.arrival_at.value},
                                                    {"x", travel.destination.x},
                                                    {"y", travel.destination.y},
                                                    {"returning", travel.returning},
                                                    {"thieves", travel.thieves},
                                                    {"coins", travel.coins}};
                              })},
          {"x", town.field.x},
          {"y", town.field.y},
          {"ruin", town.ruin}};
}

json::value refusal_of(Result<void> const& done) {
  return done ? json::value() : json::value(done.error().code.name);
}

// What the action costs and how long it takes, if the rules come as far as the price.
json::object offer_of(Town town, Rules const& rules, Action const& action, json::object offer) {
  auto const begin = town.constructions.empty() ? town.at : town.constructions.back().complete_at;
  auto const before = town.constructions.size();
  auto const done = act(town, rules, action);
  offer["refusal"] = refusal_of(done);
  if (!done && done.error().more.contains("needs")) offer["cost"] = done.error().more.at("needs");
  if (done && town.constructions.size() > before) {
    offer["cost"] = town.constructions.back().cost;
    offer["ms"] = town.constructions.back().complete_at - begin;
  }
  return offer;
}

json::object offers_of(Random& random, Town const& town, Rules const& rules) {
  auto const lot = LotId::at(random.below(LotId::names.size()));
  auto const building = Building(random.below(building_names.size()));
  auto const education = Education(random.below(education_names.size()));
  auto const amount = between(random, 1, 40);
  auto tapped = town;
  auto const tap = act(tapped, rules, Tap{.lot = lot});
  Field const field{.x = int(random.below(110)), .y = int(random.below(110))};
  return {{"lot", lot.str()},
          {"construct", offer_of(town, rules, Construct{.lot = lot, .building = building},
                                 {{"building", name_of(building)}})},
          {"upgrade", offer_of(town, rules, Upgrade{.lot = lot}, {})},
          {"raze", offer_of(town, rules, Raze{.lot = lot}, {})},
          {"train", offer_of(town, rules, Train{.education = education, .amount = amount},
                             {{"education", name_of(education)}, {"amount", amount}})},
          {"tap",
           {{"refusal", refusal_of(tap)},
            {"coinUnits", fmt::to_string(tapped.coin_units)},
            {"pizzaUnits", fmt::to_string(tapped.pizza_units)}}},
          {"travel", {{"x", field.x}, {"y", field.y}, {"ms", travel_ms(town.field, field, rules)}}}};
}

void print_line(json::object const& line) { fmt::print("{}\n", json::serialize(line)); }

void print_states(Seed seed) {
  Random random(seed);
  Rules rules;
  for (int i = 0; i < towns_count; ++i) {
    if (i % towns_of_rules == 0) {
      rules = i % (2 * towns_of_rules) == 0 ? *pizza_rules() : hasty_rules(random);
      print_line({{"seed", fmt::to_string(seed.value)}, {"rules", to_json(rules)}});
    }
    // Some towns are left alone for more than a year.
    std::int64_t const spans[] = {1'000, 120'000, day_ms, 400 * day_ms};
    auto const quiet_ms = spans[random.below(std::size(spans))];
    auto town = random_town(random, rules, quiet_ms);
    auto const before = shown(town);
    auto offers = offers_of(random, town, rules);
    advance(town, rules, town.at + between(random, 0, quiet_ms));
    print_line({{"before", before}, {"after", shown(town)}, {"offers", std::move(offers)}});
  }
}

}  // namespace
}  // namespace larder::tribes::test

int main() {
  auto const* const given = std::getenv("LARDER_SEED");  // NOLINT(concurrency-mt-unsafe)
  larder::tribes::test::print_states({given ? std::stoull(given) : 17});
}
