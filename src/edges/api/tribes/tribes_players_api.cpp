// The players of a world.
#include "base/number.hpp"
#include "edges/api/tribes/tribes_api.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

struct PlayersQuery {
  tribes::WorldId world;
  tribes::PlayersAfter after;
  std::int64_t limit = 0;
};

// "<scan>/<user>"
bool read_players_cursor(std::string const& cursor, PlayersQuery& query) {
  auto const slash = cursor.find('/');
  if (slash == std::string::npos) return false;
  auto const scan = parse_int<std::uint64_t>(std::string_view(cursor).substr(0, slash));
  auto user = cursor.substr(slash + 1);
  if (!scan || (!user.empty() && !UserId::from(user))) return false;
  query.after = {.scan = *scan, .user = std::move(user)};
  return true;
}

json::object player_line_json(tribes::WorldPlayer const& player) {
  return {{"user_id", player.user.str()},
          {"username", player.username.empty() ? json::value() : json::value(player.username)},
          {"coins", player.coins},
          {"x", player.field.x},
          {"y", player.field.y}};
}

Answering get_players(TribesPart& part, PlayersQuery query) {
  CO_TRY(auto const page,
         co_await part.tribes.players(std::move(query.world), std::move(query.after), query.limit - 1));
  json::array items;
  for (auto const& player : page.players) items.push_back(player_line_json(player));
  auto const next =
      page.next ? json::value(fmt::format("{}/{}", page.next->scan, page.next->user)) : json::value();
  co_return json_response({{"items", std::move(items)}, {"next_cursor", next}});
}

}  // namespace

std::span<Route const> tribes_player_routes() {
  namespace errors = tribes::errors;
  static Route const routes[] = {
      {Method::get,
       "/v1/tribes/worlds/{world}/players",
       Scope::tribes,
       handle(Schema<PlayersQuery>()
                  .path("world", world_kind, &PlayersQuery::world, world_says)
                  .page(&PlayersQuery::limit, read_players_cursor),
              &get_players),
       {.id = "list_world_players",
        .summary = "Lists the players of a world, in no particular order",
        .description =
            "A page may have fewer items than asked for, even none, although more follow: go on until "
            "next_cursor is null. Whoever is in the world all the time is listed; while others join, "
            "a player may be listed twice.",
        .answer = {required("user_id", type::user_id, "the player"),
                   required("username", type::text().or_null(),
                            "the player's name; null if the account was deleted"),
                   required("coins", type::amount, "coins at the last update of the town"),
                   required("x", type::integer(0), "where the town is"),
                   required("y", type::integer(0), "where the town is")},
        .answer_name = "WorldPlayer",
        .refusals = {errors::world_not_found, errors::world_needs_name}}},
  };
  return routes;
}

}  // namespace larder::api
