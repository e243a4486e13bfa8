// What can be seen of a realm.
#include "edges/api/economy/economy_api.hpp"
#include "edges/api/economy/economy_json.hpp"
#include "kit/events/event.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

using economy::EconomyEvent;
using economy::EventPosition;

constexpr std::int64_t standings_default = 10;

Answering get_player(EconomyPart& part, Request const& request) {
  QueryReader in(request);
  auto realm = in.path<economy::RealmId>("realm");
  auto id = read_player_path(in);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const player = co_await part.economy.player(std::move(realm), std::move(id));
  if (!player) co_return std::unexpected(player.error());
  co_return json_response(to_json(*player));
}

Answering get_leaderboard(EconomyPart& part, Request const& request) {
  QueryReader in(request);
  auto realm = in.path<economy::RealmId>("realm");
  auto const limit =
      in.optional_int("limit", {.min = 1, .max = limits::page_max}).value_or(standings_default);
  auto around = in.optional<UserId>("around");
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const standings = co_await part.economy.leaderboard(std::move(realm), limit, std::move(around));
  if (!standings) co_return std::unexpected(standings.error());
  json::array items;
  for (auto const& standing : *standings) items.push_back(to_json(standing));
  co_return json_response({{"items", std::move(items)}});
}

Answering get_items(EconomyPart& part, Request const& request) {
  QueryReader in(request);
  auto realm = in.path<economy::RealmId>("realm");
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  auto const catalogue = co_await part.economy.catalogue(std::move(realm));
  if (!catalogue) co_return std::unexpected(catalogue.error());
  json::array items;
  for (auto const& item : (*catalogue)->items) items.push_back(to_json(item, **catalogue));
  json::array rewards;
  for (auto const& reward : (*catalogue)->rewards) {
    rewards.push_back({{"name", reward.name}, {"points", reward.points}, {"every_s", reward.every_s}});
  }
  co_return json_response({{"version", (*catalogue)->version},
                           {"currency", (*catalogue)->currency},
                           {"items", std::move(items)},
                           {"rewards", std::move(rewards)}});
}

// "<ms>-<sequence>-<p or i>"
std::optional<EventPosition> read_cursor(QueryReader& in, Page const& page) {
  if (!page.cursor) return std::nullopt;
  std::string_view const text = *page.cursor;
  try {
    auto const points = text.ends_with("-p");
    if (points || text.ends_with("-i")) {
      auto const [ms, sequence] = events::parse_id(text.substr(0, text.size() - 2));
      if (ms >= 0 && sequence >= 0) {
        return EventPosition{.ms = ms,
                             .sequence = sequence,
                             .of = points ? EconomyEvent::Of::points : EconomyEvent::Of::items};
      }
    }
  } catch (std::runtime_error const&) {}
  in.problem("cursor", "must be a next_cursor of an earlier answer");
  return std::nullopt;
}

Answering list_events(EconomyPart& part, Request const& request, bool of_player) {
  QueryReader in(request);
  auto realm = in.path<economy::RealmId>("realm");
  economy::EventQuery query;
  if (of_player) query.user = read_player_path(in);
  query.type = in.optional_text("type", {.chars_min = 1, .chars_max = limits::event_type_chars_max});
  auto const page = in.page();
  query.before = read_cursor(in, page);
  if (auto problem = in.finish()) co_return std::unexpected(std::move(*problem));
  query.limit = page.limit + 1;  // one more tells whether there is a next page
  auto const events = co_await part.economy.events(std::move(realm), std::move(query));
  if (!events) co_return std::unexpected(events.error());
  json::array items;
  std::optional<std::string> next;
  for (auto const& event : *events) {
    if (std::int64_t(items.size()) == page.limit) {
      auto const& last = (*events)[std::size_t(page.limit) - 1];
      next = fmt::format("{}-{}-{}", last.ms, last.sequence, last.of == EconomyEvent::Of::points ? 'p' : 'i');
      break;
    }
    items.push_back(to_json(event));
  }
  co_return page_response(std::move(items), next);
}

Answering get_player_events(EconomyPart& part, Request const& request) {
  return list_events(part, request, true);
}

Answering get_events(EconomyPart& part, Request const& request) { return list_events(part, request, false); }

std::vector<Field> standing_fields() {
  return {required("rank", type::integer(1), "from 1"), required("id", type::text(), "the player's"),
          required("name", type::text().or_null(), "as it was last told"),
          required("balance", type::amount, "points")};
}

// What using an item does: its kind, and the parameters of the kind.
FieldType use_type() {
  auto const of_kind = [](std::vector<std::string_view> kinds, std::vector<Field> parameters) {
    parameters.insert(parameters.begin(), required("kind", type::choice(std::move(kinds)), "what it does"));
    return type::object(std::move(parameters));
  };
  return type::one_of(
      {of_kind({"none", "clear_vampire", "bomb", "guard"}, {}),
       of_kind({"lower_vampire"}, {required("levels", type::positive_amount, "by how many levels")}),
       of_kind({"effect"},
               {required("effect", type::choice({"gain", "discombobulate", "vampire"}), "what it changes"),
                required("by", type::amount, "how much"), required("seconds", type::amount, "how long"),
                required("stacks", type::boolean, "whether it adds to what is active already"),
                required("on", type::choice({"self", "target"}), "whom it is used on")}),
       of_kind({"radar"}, {required("count", type::positive_amount, "how many bombs it shows")})});
}

FieldType item_type() {
  return type::object(
      {required("id", type::text(), "as it stands in inventories"),
       required("names", type::array(type::text()), "short ones that mean the same"),
       required("max_stack", type::integer(1), "how many one player may have"),
       required("tradable", type::boolean, "whether it can be given to others"),
       required("drop", type::amount, "chance to find it while farming"),
       required("craft",
                type::array(type::object({required("item", type::text(), "what it costs"),
                                          required("amount", type::positive_amount, "how many of it"),
                                          required("points", type::boolean, "whether these are points")})),
                "empty: it cannot be crafted"),
       required("use", use_type(), "what using it does: its kind, and the parameters of the kind")});
}

Field const player_field = required("id", type::user_id, "the player's");
Field const type_filter = optional("type", type::text(1, limits::event_type_chars_max), "only these");

}  // namespace

std::span<Route const> economy_view_routes() {
  namespace errors = economy::errors;
  static Route const routes[] = {
      {Method::get,
       "/v1/economy/{realm}/players/{id}",
       Scope::economy,
       &get_player,
       {.id = "get_player",
        .summary = "Everything about a player at one moment",
        .path = realm_path({player_field}),
        .answer = {player_field, required("name", type::text().or_null(), "null before the first farm"),
                   required("balance", type::amount, "points"),
                   required("rank", type::integer(1).or_null(), "on the leaderboard, from 1"),
                   required("inventory", inventory_type, "item: count"),
                   required("effects", type::array(effect_type), "what is active"),
                   required("cooldowns", type::map(type::amount),
                            "seconds until each can be done again; 0: now"),
                   required("vampire_level", type::integer(1), "of the next vampire")},
        .refusals = {errors::realm_needs_name}}},
      {Method::get,
       "/v1/economy/{realm}/leaderboard",
       Scope::economy,
       &get_leaderboard,
       {.id = "get_leaderboard",
        .summary = "Players by their points",
        .path = realm_path(),
        .query = {optional("limit", type::integer(1, limits::page_max), "how many; 10 if absent"),
                  optional("around", type::user_id, "with this player in the middle")},
        .answer = {required("items", type::array(type::object(standing_fields())), "the highest first")},
        .refusals = {errors::realm_needs_name}}},
      {Method::get,
       "/v1/economy/{realm}/items",
       Scope::economy,
       &get_items,
       {.id = "get_items",
        .summary = "The catalogue of the realm",
        .path = realm_path(),
        .answer = {required("version", type::text(), "of the catalogue"),
                   required("currency", type::text(), "what points are called among the costs"),
                   required("items", type::array(item_type()), "in the order of the catalogue"),
                   required("rewards",
                            type::array(type::object(
                                {required("name", type::text(), "of the reward"),
                                 required("points", type::amount, "what it gives"),
                                 required("every_s", type::integer(1), "how often, in seconds")})),
                            "that can be claimed")},
        .refusals = {errors::realm_needs_name}}},
      {Method::get,
       "/v1/economy/{realm}/players/{id}/events",
       Scope::economy,
       &get_player_events,
       {.id = "get_player_events",
        .summary = "What happened to a player, newest first",
        .path = realm_path({player_field}),
        .query = {type_filter},
        .answer = event_fields(),
        .list = true,
        .refusals = {errors::realm_needs_name}}},
      {Method::get,
       "/v1/economy/{realm}/events",
       Scope::economy,
       &get_events,
       {.id = "get_economy_events",
        .summary = "What happened in a realm, newest first",
        .path = realm_path(),
        .query = {type_filter},
        .answer = event_fields(),
        .list = true,
        .refusals = {errors::realm_needs_name}}},
  };
  return routes;
}

}  // namespace larder::api
