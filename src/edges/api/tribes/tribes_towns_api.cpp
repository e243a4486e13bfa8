// What players do: join, look at their town, act.
#include "edges/api/tribes/player_request.hpp"
#include "edges/api/tribes/tribes_api.hpp"
#include "edges/api/tribes/tribes_json.hpp"
#include "edges/http/idempotency.hpp"
#include "edges/http/web_socket.hpp"
#include "kit/documents/path.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

struct InWorld {
  tribes::WorldId world;
};
struct StateQuery {
  tribes::WorldId world;
  std::string path = ".";
};

constexpr std::size_t path_chars_max = 1024;

template <class T>
Schema<T> in_world() {
  return Schema<T>().path("world", world_kind, &T::world, world_says);
}

Response answer(tribes::Answered answered, int status) {
  Response response{.status = status, .body = std::move(answered.json)};
  return answered.replayed ? std::move(response).with("Idempotency-Replayed", "true") : std::move(response);
}

Answering post_join(TribesPart& part, InWorld asked, Request const& request) {
  auto const player = player_of(request);
  CO_TRY(auto const text, read_idempotency_text(request));
  auto key = text ? std::optional(key_of_join(player, *text)) : std::nullopt;
  auto const account = co_await part.accounts.find(player);
  if (!account) co_return std::unexpected(no_account(player_parameter));
  CO_TRY(auto joined,
         co_await part.tribes.join(std::move(asked.world), player, account->username, std::move(key)));
  // If the account was deleted meanwhile, its towns became ruins before this town existed.
  if (!co_await part.accounts.find(player)) {
    co_await part.accounts.schedule_deletion(player, part.shared.clock.now());
    co_return refuse(larder::errors::account_not_found, "the account was deleted meanwhile");
  }
  co_return answer(std::move(joined), 201);
}

Answering get_state(TribesPart& part, StateQuery asked, Request const& request) {
  CO_TRY(auto const path, documents::Path::parse(asked.path));
  auto const player = player_of(request);
  CO_TRY(auto town, co_await for_player(part, request, part.tribes.state(std::move(asked.world), player)));
  json::value const state = std::move(town.state);
  CO_TRY(auto const* const found, path.find(state));
  co_return json_response({{"user_id", town.user.str()},
                           {"revision", town.revision},
                           {"at", to_rfc3339(town.at)},
                           {"state", *found}});
}

Answering post_action(TribesPart& part, InWorld asked, Request const& request) {
  auto const player = player_of(request);
  CO_TRY(auto const text, read_idempotency_text(request));
  CO_TRY(auto const body, parse_json(request.body));
  CO_TRY(auto const action, tribes::parse_action(body));
  auto key = text ? std::optional(key_of_action(player, *text, action)) : std::nullopt;
  CO_TRY(auto acted,
         co_await for_player(part, request,
                             part.tribes.act(std::move(asked.world), player, action, std::move(key))));
  co_return answer(std::move(acted), 200);
}

Answering get_socket(TribesPart& part, InWorld asked, Request const& request) {
  auto const player = player_of(request);
  CO_TRY(auto const world, co_await part.tribes.open(std::move(asked.world)));
  CO_TRY(auto const joined, co_await for_player(part, request, part.tribes.state(world->id, player)));
  CO_TRY(auto response, accept_web_socket(request, part.sockets->session(world, player, request)));
  co_return response;
}

// Every refusal that the rules can give.
std::vector<ErrorCode> action_refusals() {
  namespace errors = tribes::errors;
  return {errors::world_not_found,  errors::world_needs_name,   errors::world_over,
          errors::not_joined,       errors::lot_taken,          errors::lot_empty,
          errors::lot_busy,         errors::max_level,          errors::queue_full,
          errors::not_enough_coins, errors::no_school,          errors::too_few_uneducated,
          errors::not_tappable,     errors::tapped_too_soon,    errors::not_cancellable,
          errors::no_such_element,  errors::no_town_there,      errors::own_town,
          errors::target_busy,      errors::not_enough_thieves, larder::errors::account_not_found};
}

std::vector<Field> state_answer(FieldType state, std::string_view says) {
  return {required("user_id", type::user_id, "the player"),
          required("revision", type::integer(1), "grows with every change of the town"),
          required("at", type::time, "the moment of this state"), required("state", std::move(state), says)};
}

}  // namespace

std::span<Route const> tribes_town_routes() {
  namespace errors = tribes::errors;
  static Route const routes[] = {
      {Method::post,
       "/v1/tribes/worlds/{world}/join",
       Access::player(),
       handle(in_world<InWorld>(), &post_join),
       {.id = "join_world",
        .summary = "Founds the player's town in a world",
        .status = 201,
        .answer = state_answer(state_type(), "the new town"),
        .refusals = {errors::world_not_found, errors::world_needs_name, errors::world_over,
                     errors::world_full, errors::already_joined, larder::errors::account_not_found},
        .keeps_key = true}},
      {Method::get,
       "/v1/tribes/worlds/{world}/state",
       Access::player(),
       handle(in_world<StateQuery>().optional_query(
                  "path", kind::text(1, path_chars_max), &StateQuery::path,
                  R"(a part of the state: .population, .lots["5"].building; the whole state if absent)"),
              &get_state),
       {.id = "get_town",
        .summary = "Shows the player's town as it is now",
        .answer = state_answer(type::one_of({type::map(type::any), type::array(type::map(type::any)),
                                             type::number, type::boolean, type::text()}),
                               "the town, or the part of it at the path"),
        .refusals = {errors::world_not_found, errors::world_needs_name, errors::not_joined,
                     documents::errors::malformed_path, documents::errors::path_too_deep,
                     documents::errors::path_not_found, larder::errors::account_not_found}}},
      {Method::post,
       "/v1/tribes/worlds/{world}/actions",
       Access::player(),
       handle(in_world<InWorld>(), &post_action),
       {.id = "act",
        .summary = "Does something in the player's town",
        .body_type = action_type(),
        .answer = {required("revision", type::integer(1), "of the town, after the action"),
                   required("state", state_type(), "the town, after the action")},
        .refusals = action_refusals(),
        .keeps_key = true}},
      {Method::get,
       "/v1/tribes/worlds/{world}/ws",
       Access::player(),
       handle(in_world<InWorld>(), &get_socket),
       {.id = "watch_town",
        .summary = "A WebSocket that shows the player's town live and takes actions",
        .description =
            "The server sends {\"type\": \"state\"} first and then patches (RFC 7396), reports, the "
            "leaderboard and news of the world. A message to the server is an action with an `id`, "
            "which its response repeats. A message that is sent again with the same `id` is not done again.",
        .status = 101,
        .refusals = {errors::world_not_found, errors::world_needs_name, errors::not_joined,
                     larder::errors::account_not_found}}},
  };
  return routes;
}

}  // namespace larder::api
