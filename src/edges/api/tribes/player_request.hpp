// What the requests of players have in common, however they arrive: over HTTP or a WebSocket, with the
// player's token or with a service key.
#pragma once

#include "edges/api/api.hpp"
#include "edges/api/tribes/tribes_part.hpp"
#include "systems/tribes/actions.hpp"

namespace larder::api {

// The key under which a world keeps the answer to what a player does. It does not depend on how the request
// arrived, so a retry that arrives in another way finds the answer. `text` is the Idempotency-Key, or the
// `id` of a message.
IdempotencyKey key_of_action(UserId const& player, std::string_view text, tribes::Action const& action);
IdempotencyKey key_of_join(UserId const& player, std::string_view text);

// account_not_found. `field` is where the request names the account.
Error no_account(std::string_view field);

// If the player was refused for having no town, but a service key named somebody without an account:
// account_not_found.
Task<Error> explain_refusal(TribesPart& part, Request const& request, Error refusal);

template <class T>
Task<Result<T>> for_player(TribesPart& part, Request const& request, Task<Result<T>> asking) {
  auto answered = co_await std::move(asking);
  if (answered) co_return answered;
  co_return std::unexpected(co_await explain_refusal(part, request, std::move(answered.error())));
}

}  // namespace larder::api
