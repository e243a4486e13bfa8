// The views of a realm.
#include "edges/api/economy/economy_api.hpp"
#include "edges/api/economy/economy_json.hpp"
#include "kit/events/event.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

using economy::EconomyEvent;
using economy::EventPosition;

struct OfRealm {
  economy::RealmId realm;
};
struct OfPlayer {
  economy::RealmId realm;
  UserId id;
};
struct Standings {
  economy::RealmId realm;
  std::int64_t limit = 10;
  std::optional<UserId> around;
};
struct Events {
  economy::RealmId realm;
  economy::EventQuery query;
};

// See cursor_of().
bool read_cursor(std::string const& cursor, Events& events) {
  std::string_view const text = cursor;
  auto const points = text.ends_with("-p");
  if (!points && !text.ends_with("-i")) return false;
  try {
    auto const [ms, sequence] = events::parse_id(text.substr(0, text.size() - 2));
    events.query.before = EventPosition{
        .ms = ms, .sequence = sequence, .of = points ? EconomyEvent::Of::points : EconomyEvent::Of::items};
    return ms >= 0 && sequence >= 0;
  } catch (std::runtime_error const&) {
    return false;
  }
}

Schema<Events> list_of_events(Schema<Events> schema) {
  return std::move(schema)
      .optional_query(
          "type", kind::text(1, limits::event_type_chars_max),
          [](Events& events) -> auto& { return events.query.type; }, "only events of this type")
      .page([](Events& events) -> auto& { return events.query.limit; }, read_cursor);
}

Answering get_player(EconomyPart& part, OfPlayer of) {
  CO_TRY(auto const player, co_await part.economy.player(std::move(of.realm), std::move(of.id)));
  co_return json_response(to_json(player));
}

Answering get_leaderboard(EconomyPart& part, Standings asked) {
  CO_TRY(auto const standings,
         co_await part.economy.leaderboard(std::move(asked.realm), asked.limit, std::move(asked.around)));
  json::array items;
  for (auto const& standing : standings) items.push_back(to_json(standing));
  co_return json_response({{"items", std::move(items)}});
}

Answering get_items(EconomyPart& part, OfRealm of) {
  CO_TRY(auto const catalogue, co_await part.economy.catalogue(std::move(of.realm)));
  json::array items;
  for (auto const& item : catalogue->items) items.push_back(to_json(item, *catalogue));
  json::array rewards;
  for (auto const& reward : catalogue->rewards) {
    json::object out{{"name", reward.name}, {"points", reward.points}, {"every_s", reward.every_s}};
    if (!reward.time_zone.empty()) out["time_zone"] = reward.time_zone;
    rewards.push_back(std::move(out));
  }
  co_return json_response({{"version", catalogue->version},
                           {"currency", catalogue->currency},
                           {"items", std::move(items)},
                           {"rewards", std::move(rewards)}});
}

Answering get_events(EconomyPart& part, Events asked) {
  auto const limit = asked.query.limit;
  CO_TRY(auto const events, co_await part.economy.events(std::move(asked.realm), std::move(asked.query)));
  co_return page_response(
      events, limit, [](EconomyEvent const& event) { return to_json(event); }, &cursor_of);
}

std::vector<Field> standing_fields() {
  return {required("rank", type::integer(1), "the rank, from 1"), required("id", type::text(), "the player"),
          required("name", type::text().or_null(), "the display name of the last farm"),
          required("balance", type::amount, "points")};
}

// What an item does when it is used: its kind and the parameters of that kind.
FieldType use_type() {
  auto const of_kind = [](std::vector<std::string_view> kinds, std::vector<Field> parameters) {
    parameters.insert(parameters.begin(),
                      required("kind", type::choice(std::move(kinds)), "what the item does"));
    return type::object(std::move(parameters));
  };
  return type::one_of(
      {of_kind({"none", "clear_vampire", "bomb", "guard"}, {}),
       of_kind({"lower_vampire"},
               {required("levels", type::positive_amount, "by how many levels the item lowers the vampire")}),
       of_kind({"effect"}, {required("effect", type::choice({"gain", "discombobulate", "vampire"}),
                                     "what the effect changes"),
                            required("by", type::amount, "the strength of the effect"),
                            required("seconds", type::amount, "the duration of the effect"),
                            required("stacks", type::boolean, "whether the effect adds to an active one"),
                            required("on", type::choice({"self", "target"}), "on whom the item is used")}),
       of_kind({"radar"}, {required("count", type::positive_amount, "how many bombs the radar shows")})});
}

FieldType item_type() {
  return type::object(
             {required("id", type::text(), "the id, as in inventories"),
              required("names", type::array(type::text()), "short names for the item"),
              required("max_stack", type::integer(1), "how many one player can own"),
              required("tradable", type::boolean, "whether players can give it to others"),
              required("drop", type::amount, "the chance of a farm to find the item"),
              required("craft",
                       type::array(type::object(
                           {required("item", type::text(), "the item that the craft costs, or the currency"),
                            required("amount", type::positive_amount, "how many the craft costs"),
                            required("points", type::boolean, "whether this cost is points")})),
                       "the costs of a craft; empty: the item cannot be crafted"),
              optional("sell", type::positive_amount,
                       "points that the bank pays for one; absent: it does not buy the item"),
              required("use", use_type(),
                       "what the item does when it is used: a kind, and the parameters of that kind")})
      .named("Item");
}

}  // namespace

std::span<Route const> economy_view_routes() {
  namespace errors = economy::errors;
  static Route const routes[] = {
      {Method::get,
       "/v1/economy/{realm}/players/{id}",
       Scope::economy,
       handle(realm_path<OfPlayer>().path("id", player_kind, &OfPlayer::id, player_says), &get_player),
       {.id = "get_player",
        .summary = "Shows everything about a player, all of one moment",
        .answer = player_fields(),
        .answer_name = "Player",
        .refusals = {errors::realm_needs_name, errors::foreign_record, errors::realm_closed}}},
      {Method::get,
       "/v1/economy/{realm}/leaderboard",
       Scope::economy,
       handle(
           realm_path<Standings>()
               .optional_query("limit", kind::integer(1, limits::page_max), &Standings::limit,
                               "how many players; 10 if absent")
               .optional_query("around", kind::user_id, &Standings::around, "with this player in the middle"),
           &get_leaderboard),
       {.id = "get_leaderboard",
        .summary = "Lists the players by their points",
        .answer = {required("items", type::array(type::object(standing_fields()).named("Standing")),
                            "the players, the highest balance first")},
        .refusals = {errors::realm_needs_name, errors::foreign_record}}},
      {Method::get,
       "/v1/economy/{realm}/items",
       Scope::economy,
       handle(realm_path<OfRealm>(), &get_items),
       {.id = "get_items",
        .summary = "Shows the catalogue of the realm",
        .answer = {required("version", type::text(), "the version of the catalogue"),
                   required("currency", type::text(), "the name of the points in lists of costs"),
                   required("items", type::array(item_type()), "the items, in the order of the catalogue"),
                   required("rewards",
                            type::array(type::object(
                                {required("name", type::text(), "the name of the reward"),
                                 required("points", type::amount, "the points that the reward gives"),
                                 required("every_s", type::integer(1), "the seconds between two claims"),
                                 optional("time_zone", type::text(),
                                          "claims are possible again when days begin there")})),
                            "the rewards that players can claim")},
        .answer_name = "Catalogue",
        .refusals = {errors::realm_needs_name, errors::realm_closed}}},
      {Method::get,
       "/v1/economy/{realm}/players/{id}/events",
       Scope::economy,
       handle(list_of_events(realm_path<Events>().path(
                  "id", player_kind, [](Events& events) -> auto& { return events.query.user; }, player_says)),
              &get_events),
       {.id = "get_player_events",
        .summary = "Lists what happened to a player, newest first",
        .answer = event_fields(),
        .answer_name = "EconomyEvent",
        .refusals = {errors::realm_needs_name, errors::realm_closed}}},
      {Method::get,
       "/v1/economy/{realm}/events",
       Scope::economy,
       handle(list_of_events(realm_path<Events>()), &get_events),
       {.id = "get_economy_events",
        .summary = "Lists what happened in a realm, newest first",
        .answer = event_fields(),
        .answer_name = "EconomyEvent",
        .refusals = {errors::realm_needs_name, errors::realm_closed}}},
  };
  return routes;
}

}  // namespace larder::api
