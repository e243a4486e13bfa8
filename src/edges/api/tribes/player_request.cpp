#include "edges/api/tribes/player_request.hpp"

#include "base/hash.hpp"
#include "edges/api/tribes/tribes_api.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

IdempotencyKey key_of_player(UserId const& player, std::string_view text, std::string_view what) {
  return {.key = fmt::format("{}:{}", player.str(), text), .fingerprint = sha256_hex(what)};
}

}  // namespace

IdempotencyKey key_of_action(UserId const& player, std::string_view text, tribes::Action const& action) {
  return key_of_player(player, text, json::serialize(tribes::to_json(action)));
}

IdempotencyKey key_of_join(UserId const& player, std::string_view text) {
  return key_of_player(player, text, "join");
}

Error no_account(std::string_view field) {
  return {.code = larder::errors::account_not_found,
          .detail = "there is no account with this id",
          .field = std::string(field)};
}

Task<Error> explain_refusal(TribesPart& part, Request const& request, Error refusal) {
  bool const by_key = request.caller->player_id.empty();
  if (!by_key || refusal.code != tribes::errors::not_joined) co_return refusal;
  if (co_await part.accounts.find(player_of(request))) co_return refusal;
  co_return no_account(player_parameter);
}

}  // namespace larder::api
