// Actions as JSON: what a player sends, and what an event keeps.
#include "systems/tribes/actions.hpp"

#include <span>

namespace larder::tribes {

namespace {

// In the order of the variant.
constexpr std::array<std::string_view, std::variant_size_v<Action>> action_types = {
    "construct", "upgrade", "raze", "train", "steal", "tap", "cancel"};

constexpr IntRule amount_rule{1, limits::amount_max};
constexpr IntRule index_rule{0, limits::amount_max};
constexpr IntRule coordinate_rule{0, coordinate_max};

LotId read_lot(ObjectReader& in) { return LotId::at(in.required_choice("lot", LotId::names)); }

Field read_field(ObjectReader& in) {
  return {.x = int(in.required_int("x", coordinate_rule)), .y = int(in.required_int("y", coordinate_rule))};
}

Action read_action(ObjectReader& in, std::string_view type) {
  if (type == "construct") {
    return Construct{.lot = read_lot(in),
                     .building = Building(in.required_choice("building", building_names))};
  }
  if (type == "upgrade") return Upgrade{.lot = read_lot(in)};
  if (type == "raze") return Raze{.lot = read_lot(in)};
  if (type == "train") {
    return Train{.education = Education(in.required_choice("education", education_names)),
                 .amount = in.required_int("amount", amount_rule)};
  }
  if (type == "steal") {
    return Steal{.field = read_field(in), .thieves = in.required_int("thieves", amount_rule)};
  }
  if (type == "tap") return Tap{.lot = read_lot(in)};
  return Cancel{.queue = Queue(in.required_choice("queue", queue_names)),
                .index = in.required_int("index", index_rule)};
}

struct ActionWriter {
  json::object& out;
  void operator()(Construct const& a) const {
    out["lot"] = a.lot.str();
    out["building"] = name_of(a.building);
  }
  void operator()(Upgrade const& a) const { out["lot"] = a.lot.str(); }
  void operator()(Raze const& a) const { out["lot"] = a.lot.str(); }
  void operator()(Train const& a) const {
    out["education"] = name_of(a.education);
    out["amount"] = a.amount;
  }
  void operator()(Steal const& a) const {
    out["x"] = a.field.x;
    out["y"] = a.field.y;
    out["thieves"] = a.thieves;
  }
  void operator()(Tap const& a) const { out["lot"] = a.lot.str(); }
  void operator()(Cancel const& a) const {
    out["queue"] = queue_names[std::size_t(a.queue)];
    out["index"] = a.index;
  }
};

}  // namespace

std::string_view type_of(Action const& action) { return action_types[action.index()]; }

Result<Action> parse_action(json::value const& body) {
  ObjectReader in(body);
  auto const type = action_types[in.required_choice("type", action_types)];
  auto action = read_action(in, type);
  if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
  return action;
}

json::object to_json(Action const& action) {
  json::object out{{"type", type_of(action)}};
  std::visit(ActionWriter{out}, action);
  return out;
}

}  // namespace larder::tribes
