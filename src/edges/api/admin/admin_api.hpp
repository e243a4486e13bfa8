// The routes of operators, /v1/admin.
#pragma once

#include "edges/api/admin/operator_desk.hpp"
#include "edges/api/system.hpp"
#include "kit/accounts/service_keys.hpp"

namespace larder::api {

// What the handlers of these routes work with on one io thread.
struct AdminDesk {
  sql::Database& sql;
  Clock const& clock;
  accounts::ServiceKeys& keys;
  OperatorDesk operators;
  UserStores stores;
  std::vector<System*> const& systems;  // that export and forget users
};

// Service keys.
std::span<Route const> admin_key_routes();
// Exports and forgets users.
std::span<Route const> admin_user_routes();

}  // namespace larder::api
