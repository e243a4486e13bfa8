// The routes of players' accounts, /v1/auth.
#pragma once

#include "edges/api/accounts/attempts.hpp"
#include "edges/api/system.hpp"
#include "kit/accounts/accounts.hpp"
#include "kit/accounts/player_tokens.hpp"

namespace larder::api {

// What the handlers work with on one io thread.
struct AccountsDesk {
  accounts::Accounts accounts;
  Attempts attempts;
  accounts::PlayerTokens& tokens;
  bool behind_proxy = false;
};

std::span<Route const> accounts_routes();

}  // namespace larder::api
