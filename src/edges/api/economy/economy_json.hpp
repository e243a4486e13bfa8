// The types of the economy as JSON, and their description in the OpenAPI document.
#pragma once

#include "edges/api/economy/economy_api.hpp"

namespace larder::api {

json::object to_json(economy::Roll const& roll);
json::object to_json(economy::Inventory const& inventory);
json::object to_json(economy::ActiveEffect const& effect);
json::object to_json(economy::PlayerView const& player);
json::object to_json(economy::Standing const& standing);
json::object to_json(economy::Item const& item, economy::Catalogue const& catalogue);
json::object to_json(economy::EconomyEvent const& event);
// The cursor of the page behind this event: "<ms>-<sequence>-<p or i>".
std::string cursor_of(economy::EconomyEvent const& event);

// A user id that a player may have. Some ids are not allowed, because they would
// name other keys of the realm.
struct PlayerKind {
  FieldType type() const { return type::user_id; }
  template <class In>
  UserId required(In& in, std::string_view name) const {
    return checked(in, name, in.template required<UserId>(name));
  }
  template <class In>
  std::optional<UserId> optional(In& in, std::string_view name) const {
    auto id = in.template optional<UserId>(name);
    return id ? std::optional(checked(in, name, std::move(*id))) : std::nullopt;
  }
  UserId path(QueryReader& in, std::string_view name) const {
    return checked(in, name, in.path<UserId>(name));
  }

 private:
  template <class In>
  static UserId checked(In& in, std::string_view name, UserId id) {
    if (auto problem = economy::problem_of_player(id)) in.problem(name, std::move(*problem));
    return id;
  }
};
inline constexpr PlayerKind player_kind{};
inline constexpr std::string_view player_says = "the player";
inline kind::Plain<economy::RealmId> const realm_kind{type::text(1, limits::realm_chars_max)};
inline constexpr std::string_view realm_says =
    "a separate game; the keys of the realm default have no prefix";

template <class T>
Schema<T> realm_path() {
  return Schema<T>().path("realm", realm_kind, &T::realm, realm_says);
}

extern FieldType const roll_type;
extern Field const roll_field;
extern FieldType const inventory_type;
extern FieldType const effect_type;
extern Field const balance_field;
std::vector<Field> player_fields();
std::vector<Field> event_fields();

}  // namespace larder::api
