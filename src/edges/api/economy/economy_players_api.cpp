// The players of a realm.
#include "edges/api/economy/economy_api.hpp"
#include "edges/api/economy/economy_json.hpp"

namespace larder::api {

namespace {

struct PlayerList {
  economy::RealmId realm;
  economy::PlayersQuery query;
};

bool read_player_cursor(std::string const& cursor, PlayerList& list) {
  list.query.after = cursor;
  return bool(UserId::from(cursor));
}

json::object listed_json(economy::ListedPlayer const& player) {
  return {{"id", player.id},
          {"name", player.name ? json::value(*player.name) : json::value()},
          {"balance", player.balance}};
}

Answering get_player_list(EconomyPart& part, PlayerList list) {
  auto const limit = list.query.limit;
  CO_TRY(auto const players, co_await part.economy.players(std::move(list.realm), std::move(list.query)));
  co_return page_response(
      players, limit, [](economy::ListedPlayer const& player) { return listed_json(player); },
      [](economy::ListedPlayer const& player) { return player.id; });
}

}  // namespace

std::span<Route const> economy_player_routes() {
  namespace errors = economy::errors;
  static Route const routes[] = {
      {Method::get,
       "/v1/economy/{realm}/players",
       Scope::economy,
       handle(Schema<PlayerList>()
                  .path("realm", realm_kind, &PlayerList::realm, realm_says)
                  .optional_query(
                      "prefix", kind::text(1, limits::player_name_chars_max),
                      [](PlayerList& list) -> auto& { return list.query.prefix; },
                      "only players whose name begins with this; the case of A to Z does not matter")
                  .page([](PlayerList& list) -> auto& { return list.query.limit; }, read_player_cursor),
              &get_player_list),
       {.id = "list_players",
        .summary = "Lists the players of a realm by id, or those with the beginning of a name, by name",
        .description = "Everybody who has an event is a player.",
        .answer = {required("id", type::user_id, "the player"),
                   required("name", type::text().or_null(), "the display name; null before the first farm"),
                   balance_field},
        .answer_name = "ListedPlayer",
        .refusals = {errors::realm_needs_name, errors::realm_closed, errors::foreign_record}}},
  };
  return routes;
}

}  // namespace larder::api
