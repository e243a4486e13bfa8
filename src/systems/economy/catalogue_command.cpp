#include "systems/economy/catalogue_command.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

namespace larder::economy {

Task<Given> give_catalogue(redis::Redis& redis, EconomyJournal& journal, RealmId id, CataloguePtr catalogue,
                           IfMissing if_missing) {
  RealmKeys const keys(id);
  bool const create = if_missing == IfMissing::create;
  auto const version = co_await catalogue_version(redis, keys);
  if (version == closed_version) co_return Given::closed;
  if (!version && !create) co_return Given::missing;
  if (auto const lost = co_await journal.open_outboxes(redis, id); !lost.empty()) {
    throw SetupError(
        fmt::format("Redis has lost the realm {}, or SQL has ({}); run `larder rebuild`, so that no empty "
                    "one takes its place",
                    id.str(), lost));
  }
  try {
    if (create) co_await register_realm(redis, id);
    if (!co_await load_catalogue(redis, keys, catalogue, CatalogueSource::command, if_missing))
      co_return Given::missing;
    if (create) co_await register_realm(redis, id);
  } catch (RealmClosed const&) {
    co_return Given::closed;
  }
  co_await announce_realm(redis, id);
  co_return Given::loaded;
}

}  // namespace larder::economy
