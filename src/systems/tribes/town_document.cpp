#include "systems/tribes/town_document.hpp"

#include "base/number.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::tribes {

namespace {

constexpr std::size_t elements_max = 10'000;
constexpr IntRule whole_rule{0, whole_max};
constexpr IntRule units_rule{0, units_per_whole - 1};
constexpr IntRule mice_rule{0, mice_max};
constexpr IntRule field_rule{0, 1'000'000};
constexpr IntRule document_level_rule{1, 1'000};
constexpr IntRule building_rule{0, std::ssize(building_names) - 1};
constexpr IntRule education_rule{0, std::ssize(education_names) - 1};

// Writing. The text is put together by hand, because every update of a town writes it.

// `name` includes its quotes, its colon and what comes before it.
void put(std::string& out, std::string_view name, std::int64_t number) {
  fmt::format_int const digits(number);
  out.append(name).append(digits.data(), digits.size());
}
void put(std::string& out, std::string_view name, bool flag) {
  out.append(name).append(flag ? "true" : "false");
}
void put(std::string& out, std::string_view name, std::string_view text) {
  // Ids and numbers need no escapes.
  out.append(name).append("\"").append(text).append("\"");
}

// Calls write(element) for each element, with commas between.
void put_list(std::string& out, std::string_view name, auto const& elements, auto&& write) {
  out.append(name).append("[");
  bool is_first = true;
  for (auto const& element : elements) {
    if (!is_first) out += ',';
    is_first = false;
    write(element);
  }
  out += ']';
}

void put_lots(std::string& out, Town const& town) {
  out += R"(},"lots":{)";
  bool is_first = true;
  for (std::size_t i = 0; i < town.lots.size(); ++i) {
    auto const& lot = town.lots[i];
    if (!lot) continue;
    out.append(is_first ? "\"" : ",\"").append(LotId::names[i]);
    is_first = false;
    put(out, R"(":{"building":)", std::int64_t(lot->building));
    put(out, R"(,"level":)", std::int64_t(lot->level));
    if (lot->tapped_at) put(out, R"(,"tappedAt":)", lot->tapped_at->value);
    out += '}';
  }
}

void put_queues_before_town(std::string& out, Town const& town) {
  put_list(out, R"(,"trainingQueue":)", town.trainings, [&](Training const& training) {
    put(out, R"({"completeAt":)", training.complete_at.value);
    put(out, R"(,"education":)", std::int64_t(training.education));
    put(out, R"(,"amount":)", training.amount);
    if (training.cost > 0) put(out, R"(,"cost":)", training.cost);
    out += '}';
  });
  put_list(out, R"(,"constructionQueue":)", town.constructions, [&](Construction const& construction) {
    put(out, R"({"completeAt":)", construction.complete_at.value);
    put(out, R"(,"lotId":)", construction.lot.str());
    put(out, R"(,"building":)", std::int64_t(construction.building));
    put(out, R"(,"level":)", std::int64_t(construction.level));
    put(out, R"(,"razing":)", construction.razing);
    if (construction.cost > 0) put(out, R"(,"cost":)", construction.cost);
    out += '}';
  });
}

void put_travels(std::string& out, Town const& town) {
  put_list(out, R"(,"travelQueue":)", town.travels, [&](Travel const& travel) {
    put(out, R"({"arrivalAt":)", travel.arrival_at.value);
    put(out, R"(,"destinationX":)", std::int64_t(travel.destination.x));
    put(out, R"(,"destinationY":)", std::int64_t(travel.destination.y));
    put(out, R"(,"returning":)", travel.returning);
    put(out, R"(,"thieves":)", travel.thieves);
    put(out, R"(,"coins":)", travel.coins);
    put(out, R"(,"target":)", std::string_view(travel.target.str()));
    fmt::format_int const seed(travel.seed);
    put(out, R"(,"seed":)", std::string_view(seed.data(), seed.size()));
    out += '}';
  });
}

void put_larder(std::string& out, Town const& town) {
  put(out, R"(,"larder":{"at":)", town.at.value);
  put(out, R"(,"coinUnits":)", town.coin_units % units_per_whole);
  put(out, R"(,"pizzaUnits":)", town.pizza_units % units_per_whole);
  if (!town.arrivals.empty()) {
    put_list(out, R"(,"arrivals":)", town.arrivals, [&](Arrival const& arrival) {
      put(out, R"({"at":)", arrival.at.value);
      put(out, R"(,"attacker":)", std::string_view(arrival.attacker.str()));
      out += '}';
    });
  }
  if (town.ruin) put(out, R"(,"ruin":)", true);
  out += '}';
}

// Reading.

// Reads the object `name` inside `in` with the function `read`.
void read_member(ObjectReader& in, std::string_view name, auto&& read) {
  auto const* const value = in.required_value(name);
  if (!value) return;
  ObjectReader inner(*value, in.path_of(name));
  read(inner);
  if (auto problem = inner.finish()) in.inner_problem(std::move(*problem));
}

// Makes one element for each object of the array `name` inside `in`, and fills it with the function `read`.
template <class Element>
void read_queue(ObjectReader& in, std::string_view name, std::vector<Element>& out, auto&& read) {
  auto const& array = in.required_array(name, 0, elements_max);
  out.reserve(array.size());
  for (std::size_t i = 0; i < array.size(); ++i) {
    ObjectReader inner(array[i], fmt::format("{}[{}]", in.path_of(name), i));
    read(inner, out.emplace_back());
    if (auto problem = inner.finish()) in.inner_problem(std::move(*problem));
  }
}

void read_lots(ObjectReader& in, GameMs at, Town& out) {
  for (std::size_t i = 0; i < out.lots.size(); ++i) {
    if (!in.optional_value(LotId::names[i])) continue;
    read_member(in, LotId::names[i], [&](ObjectReader& inner) {
      auto& lot = out.lots[i].emplace();
      lot.building = Building(inner.required_int("building", building_rule));
      lot.level = int(inner.optional_int("level", document_level_rule).value_or(1));
      if (auto const tapped_at = inner.optional_int("tappedAt", {0, at.value})) lot.tapped_at = {*tapped_at};
    });
  }
}

void read_population(ObjectReader& in, Population& out) {
  out.uneducated = in.required_int("uneducated", mice_rule);
  out.chefs = in.required_int("chefs", mice_rule);
  out.salesmice = in.required_int("salesmice", mice_rule);
  out.guards = in.required_int("guards", mice_rule);
  out.thieves = in.required_int("thieves", mice_rule);
}

void read_queues(ObjectReader& in, IntRule time_rule, Town& out) {
  read_queue(in, "trainingQueue", out.trainings, [&](ObjectReader& inner, Training& training) {
    training.complete_at = {inner.required_int("completeAt", time_rule)};
    training.education = Education(inner.required_int("education", education_rule));
    training.amount = inner.required_int("amount", mice_rule);
    training.cost = inner.optional_int("cost", whole_rule).value_or(0);
  });
  read_queue(in, "constructionQueue", out.constructions,
             [&](ObjectReader& inner, Construction& construction) {
               construction.complete_at = {inner.required_int("completeAt", time_rule)};
               construction.lot = LotId::at(inner.required_choice("lotId", LotId::names));
               construction.building = Building(inner.required_int("building", building_rule));
               construction.level = int(inner.optional_int("level", document_level_rule).value_or(1));
               construction.razing = inner.optional<bool>("razing").value_or(false);
               construction.cost = inner.optional_int("cost", whole_rule).value_or(0);
             });
  if (!std::ranges::is_sorted(out.constructions, {}, &Construction::complete_at)) {
    in.problem("constructionQueue", "must be in the order of completeAt");
  }
}

void read_travels(ObjectReader& in, IntRule time_rule, Town& out) {
  read_queue(in, "travelQueue", out.travels, [&](ObjectReader& inner, Travel& travel) {
    travel.arrival_at = {inner.required_int("arrivalAt", time_rule)};
    travel.destination.x = int(inner.required_int("destinationX", field_rule));
    travel.destination.y = int(inner.required_int("destinationY", field_rule));
    travel.returning = inner.required<bool>("returning");
    travel.thieves = inner.required_int("thieves", mice_rule);
    travel.coins = inner.required_int("coins", whole_rule);
    travel.target = inner.required<UserId>("target");
    auto const seed = parse_int<std::uint64_t>(inner.required_text("seed", {.chars_max = 20}));
    if (!seed) inner.problem("seed", "must be a whole number of 64 bits, as a string");
    travel.seed = seed.value_or(0);
  });
}

void read_larder(ObjectReader& in, Town& out) {
  out.at = {in.required_int("at", {0, game_ms_max})};
  out.coin_units = in.required_int("coinUnits", units_rule);
  out.pizza_units = in.required_int("pizzaUnits", units_rule);
  out.ruin = in.optional<bool>("ruin").value_or(false);
  if (!in.has("arrivals")) return;
  read_queue(in, "arrivals", out.arrivals, [&](ObjectReader& inner, Arrival& arrival) {
    arrival.at = {inner.required_int("at", {out.at.value, game_ms_max})};
    arrival.attacker = inner.required<UserId>("attacker");
  });
  if (!std::ranges::is_sorted(out.arrivals))
    in.problem("arrivals", "must be in the order of at and attacker");
}

void read_resources(ObjectReader& in, Town& out) {
  auto const read = [&](std::string_view name, std::int64_t& units) {
    units += in.required_int(name, whole_rule) * units_per_whole;
    if (units > stock_max) in.problem(name, "is above the most that a town can have");
  };
  read("coins", out.coin_units);
  read("pizzas", out.pizza_units);
}

void read_town(ObjectReader& in, Town& out) {
  if (in.has("larder")) read_member(in, "larder", [&](ObjectReader& inner) { read_larder(inner, out); });
  IntRule const time_rule{out.at.value, game_ms_max};
  read_member(in, "resources", [&](ObjectReader& inner) { read_resources(inner, out); });
  read_member(in, "lots", [&](ObjectReader& inner) { read_lots(inner, out.at, out); });
  read_member(in, "population", [&](ObjectReader& inner) { read_population(inner, out.population); });
  in.required_int("timestamp", {0, limits::amount_max});
  read_queues(in, time_rule, out);
  out.field.x = int(in.required_int("townX", field_rule));
  out.field.y = int(in.required_int("townY", field_rule));
  read_travels(in, time_rule, out);
}

}  // namespace

std::string to_document(Town const& town, std::int64_t timestamp_s) {
  std::string out;
  out.reserve(1'024);
  put(out, R"({"resources":{"coins":)", town.coins());
  put(out, R"(,"pizzas":)", town.pizzas());
  put_lots(out, town);
  put(out, R"(},"population":{"uneducated":)", town.population.uneducated);
  put(out, R"(,"chefs":)", town.population.chefs);
  put(out, R"(,"salesmice":)", town.population.salesmice);
  put(out, R"(,"guards":)", town.population.guards);
  put(out, R"(,"thieves":)", town.population.thieves);
  put(out, R"(},"timestamp":)", timestamp_s);
  put_queues_before_town(out, town);
  put(out, R"(,"townX":)", std::int64_t(town.field.x));
  put(out, R"(,"townY":)", std::int64_t(town.field.y));
  put_travels(out, town);
  put_larder(out, town);
  out += '}';
  return out;
}

Result<Town> from_document(std::string_view text, UserId user, GameMs at_default) {
  std::array<unsigned char, 16 * 1024> buffer;
  json::monotonic_resource memory(buffer.data(), buffer.size());
  auto const parsed = parse_json(text, &memory);
  if (!parsed) return std::unexpected(parsed.error());
  Town town{.user = std::move(user), .at = at_default};
  ObjectReader in(*parsed);
  read_town(in, town);
  if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
  return town;
}

}  // namespace larder::tribes
