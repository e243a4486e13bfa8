#include "systems/tribes/town_document.hpp"

namespace larder::tribes {

namespace {

json::object view_of_lots(Town const& town, WorldClock const& clock) {
  json::object out;
  for (std::size_t i = 0; i < town.lots.size(); ++i) {
    auto const& lot = town.lots[i];
    if (!lot) continue;
    json::object shown{{"building", int(lot->building)}, {"level", lot->level}};
    if (lot->tapped_at) shown["tappedAt"] = clock.real_at(*lot->tapped_at).value;
    out[LotId::names[i]] = std::move(shown);
  }
  return out;
}

json::array view_of_trainings(Town const& town, WorldClock const& clock) {
  json::array out;
  for (auto const& training : town.trainings) {
    out.emplace_back(json::object{{"completeAt", clock.real_at(training.complete_at).value},
                                  {"education", int(training.education)},
                                  {"amount", training.amount}});
  }
  return out;
}

json::array view_of_constructions(Town const& town, WorldClock const& clock) {
  json::array out;
  for (auto const& construction : town.constructions) {
    out.emplace_back(json::object{{"completeAt", clock.real_at(construction.complete_at).value},
                                  {"lotId", construction.lot.str()},
                                  {"building", int(construction.building)},
                                  {"level", construction.level},
                                  {"razing", construction.razing}});
  }
  return out;
}

json::array view_of_travels(Town const& town, WorldClock const& clock) {
  json::array out;
  for (auto const& travel : town.travels) {
    out.emplace_back(json::object{{"arrivalAt", clock.real_at(travel.arrival_at).value},
                                  {"destinationX", travel.destination.x},
                                  {"destinationY", travel.destination.y},
                                  {"returning", travel.returning},
                                  {"thieves", travel.thieves},
                                  {"coins", travel.coins}});
  }
  return out;
}

}  // namespace

json::object view(Town const& town, WorldClock const& clock, TimeMs now) {
  auto const& mice = town.population;
  return {{"resources", {{"coins", town.coins()}, {"pizzas", town.pizzas()}}},
          {"lots", view_of_lots(town, clock)},
          {"population",
           {{"uneducated", mice.uneducated},
            {"chefs", mice.chefs},
            {"salesmice", mice.salesmice},
            {"guards", mice.guards},
            {"thieves", mice.thieves}}},
          {"timestamp", now.value / 1'000},
          {"trainingQueue", view_of_trainings(town, clock)},
          {"constructionQueue", view_of_constructions(town, clock)},
          {"townX", town.field.x},
          {"townY", town.field.y},
          {"travelQueue", view_of_travels(town, clock)}};
}

}  // namespace larder::tribes
