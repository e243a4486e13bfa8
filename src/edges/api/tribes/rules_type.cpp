#include "edges/api/tribes/rules_type.hpp"

#include "systems/tribes/rules.hpp"

namespace larder::api {

namespace {

std::vector<Field> numbers_of(std::string_view section) {
  std::vector<Field> fields;
  for (auto const& number : tribes::rule_numbers()) {
    if (number.section != section) continue;
    fields.push_back(required(number.name, type::integer(number.rule.min, number.rule.max), number.says));
  }
  return fields;
}

FieldType building_type(tribes::Building building) {
  auto level = numbers_of("levels");
  if (!has_places(building))
    std::erase_if(level, [](Field const& field) { return field.name == "capacity"; });
  return type::object({required("first", type::object(numbers_of("first")), "the first building of its kind"),
                       required("levels", type::array(type::object(std::move(level)), 1, tribes::levels_max),
                                "from level 1 on")});
}

FieldType education_type(tribes::Education education) {
  auto fields = numbers_of("educations");
  if (has_work(education)) {
    fields.push_back(required("workplace",
                              type::choice({tribes::workplaces.begin(), tribes::workplaces.end()}),
                              "where these mice work"));
  }
  return type::object(std::move(fields));
}

FieldType clock_type() {
  auto fields = numbers_of("mouse_clock");
  fields.push_back(required("rush_hours",
                            type::array(type::object(numbers_of("rush_hours")), 0, tribes::rush_hours_max),
                            "in order, without overlaps"));
  return type::object(std::move(fields));
}

}  // namespace

FieldType rules_type() {
  std::vector<Field> buildings;
  for (std::size_t i = 0; i < tribes::building_names.size(); ++i) {
    buildings.push_back(
        required(tribes::building_names[i], building_type(tribes::Building(i)), "a kind of building"));
  }
  std::vector<Field> educations;
  for (std::size_t i = 0; i < tribes::education_names.size(); ++i) {
    educations.push_back(required(tribes::education_names[i], education_type(tribes::Education(i)),
                                  "what a mouse can become"));
  }
  auto fields = numbers_of("");
  fields.push_back(required("buildings", type::object(std::move(buildings)), "the buildings"));
  fields.push_back(required("educations", type::object(std::move(educations)), "the educations"));
  fields.push_back(
      required("mouse_clock", clock_type(), "the clock of the mice, 0:00 at the start of the world"));
  for (auto const& [name, says] :
       {std::pair<std::string_view, std::string_view>{"razing", "what razing costs"},
        {"queues", "how long queues can be"},
        {"production", "what mice make, sell and want"},
        {"taps", "what tapping a lot gives"},
        {"world", "the map"},
        {"heists", "thieves"},
        {"updates", "how often towns are updated"}}) {
    fields.push_back(required(name, type::object(numbers_of(name)), says));
  }
  return type::object(std::move(fields));
}

}  // namespace larder::api
