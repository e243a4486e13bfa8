#include "base/json.hpp"
#include "base/try.hpp"
#include "systems/tribes/world.hpp"

#include <fmt/format.h>

namespace larder::tribes {

namespace {

constexpr IntRule whole{.min = 0, .max = limits::amount_max};

Result<std::vector<Era>> read_eras(json::array const& array) {
  std::vector<Era> eras;
  for (auto const& element : array) {
    auto const path = fmt::format("eras[{}]", eras.size());
    ObjectReader in(element, path);
    GameMs const from{in.required_int("from", whole)};
    auto const* const rules = in.required_value("rules");
    if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
    auto parsed = parse_rules(json::serialize(*rules));
    if (!parsed) return invalid(path + ".rules." + parsed.error().field, std::move(parsed.error().detail));
    bool const in_order = eras.empty() ? from.value == 0 : from >= eras.back().from;
    if (!in_order) return invalid(path + ".from", "the eras are not in order");
    eras.push_back({.from = from, .rules = std::make_shared<Rules const>(std::move(*parsed))});
  }
  return eras;
}

}  // namespace

std::string to_document(WorldInfo const& info) {
  json::array eras;
  for (auto const& era : info.eras) {
    eras.push_back(json::object{{"from", era.from.value}, {"rules", to_json(*era.rules)}});
  }
  json::object document{{"state", world_state_names[std::size_t(info.state)]},
                        {"speed", info.clock.speed},
                        {"baseReal", info.clock.base_real.value},
                        {"baseGame", info.clock.base_game.value},
                        {"startedAt", info.started_at.value},
                        {"eras", std::move(eras)}};
  if (info.winner) document["winner"] = info.winner->str();
  if (info.won_at) document["wonAt"] = info.won_at->value;
  if (info.deleted) document["deleted"] = true;
  return json::serialize(document);
}

Result<WorldInfo> world_from_document(std::string_view text, std::int64_t revision) {
  TRY(auto const document, parse_json(text));
  ObjectReader in(document);
  WorldInfo info{.revision = revision};
  info.state = WorldState(in.required_choice("state", world_state_names));
  info.clock = {.base_real = {in.required_int("baseReal", whole)},
                .base_game = {in.required_int("baseGame", whole)},
                .speed = in.required_int("speed", {.min = 1, .max = speed_max})};
  info.started_at = {in.required_int("startedAt", whole)};
  auto const& eras = in.required_array("eras", 1, limits::world_eras_max);
  info.winner = in.optional<UserId>("winner");
  if (auto const won_at = in.optional_int("wonAt", whole)) info.won_at = TimeMs{*won_at};
  info.deleted = in.optional<bool>("deleted").value_or(false);
  if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
  TRY(info.eras, read_eras(eras));
  return info;
}

}  // namespace larder::tribes
