// What the routes of tribes work with on one io thread.
#pragma once

#include "edges/api/system.hpp"
#include "edges/api/tribes/town_sockets.hpp"
#include "kit/accounts/account_store.hpp"
#include "systems/tribes/worlds.hpp"

namespace larder::api {

struct TribesPart {
  TribesPart(IoThread const& thread, tribes::Shared& its_shared)
      : shared(its_shared),
        tribes(thread.redis, its_shared),
        worlds(thread.redis, its_shared),
        accounts(thread.redis),
        sockets(std::make_shared<TownSockets>(thread, its_shared)) {}

  tribes::Shared& shared;
  tribes::Tribes tribes;
  tribes::Worlds worlds;
  accounts::AccountStore accounts;
  std::shared_ptr<TownSockets> sockets;
};

}  // namespace larder::api
