#include "systems/economy/realm_catalogue.hpp"

#include "systems/economy/economy_scripts.hpp"

#include <fmt/format.h>

#include <set>

namespace larder::economy {

namespace {

constexpr std::string_view by_start = "start";
constexpr std::string_view by_command = "command";

struct Stored {
  std::string version = {};
  CataloguePtr catalogue = {};
  bool by_command = false;
};

enum class IfUnreadable { ignore, fail };

Task<Stored> read_stored(redis::Redis& redis, RealmKeys const& keys, IfUnreadable if_unreadable) {
  auto const version = keys.catalogue();
  auto const data = keys.catalogue_data();
  auto const source = keys.catalogue_source();
  auto const reply = co_await redis.command(redis::Use::read, version, {"MGET", version, data, source});
  if (reply.at(0).is_nil()) co_return Stored{};
  if (reply.at(0).text() == closed_version) co_return Stored{.version = std::string(closed_version)};
  if (reply.at(1).is_nil()) co_return Stored{.version = std::string(reply.at(0).text())};
  auto parsed = parse_catalogue(reply.at(1).text());
  if (!parsed && if_unreadable == IfUnreadable::ignore) {
    co_return Stored{.version = std::string(reply.at(0).text())};
  }
  if (!parsed) {
    throw std::runtime_error(
        fmt::format("the catalogue of this realm ({}) cannot be read: {}", version, parsed.error().detail));
  }
  // The scripts compare this version, even if this release of Larder would calculate another one.
  parsed->version = reply.at(0).text();
  co_return Stored{.version = parsed->version,
                   .catalogue = std::make_shared<Catalogue const>(std::move(*parsed)),
                   .by_command = !reply.at(2).is_nil() && reply.at(2).text() == by_command};
}

// Whether somebody may have filled the realm by hand. A search for inventories reads every key of the Redis.
// The first move in a new realm must not cost that, because there may be thousands of realms. So a realm with
// a name counts as filled only if it has a leaderboard or events.
Task<bool> has_players(redis::Redis& redis, RealmKeys const& keys) {
  if (keys.prefix().empty()) co_return true;
  auto const board = keys.leaderboard();
  auto const points = keys.points();
  auto const items = keys.items();
  auto const found = co_await redis.command(redis::Use::read, board, {"EXISTS", board, points, items});
  co_return found.integer() > 0;
}

// The players with an inventory, for a realm that never had a catalogue.
Task<std::vector<UserId>> inventory_owners(redis::Redis& redis, RealmKeys const& keys) {
  auto const pattern = keys.inventory_pattern();
  std::set<UserId> owners;
  co_await redis.scan(pattern, [&](std::vector<std::string> found) -> Task<void> {
    for (auto const& key : found) {
      if (auto const owner = keys.owner_of_inventory(key)) owners.insert(*owner);
    }
    co_return;
  });
  co_return std::vector(owners.begin(), owners.end());
}

}  // namespace

Task<std::optional<std::string>> catalogue_version(redis::Redis& redis, RealmKeys const& keys) {
  auto const key = keys.catalogue();
  co_return (co_await redis.command(redis::Use::read, key, {"GET", key})).optional_text();
}

Task<CataloguePtr> read_catalogue(redis::Redis& redis, RealmKeys const& keys) {
  co_return (co_await read_stored(redis, keys, IfUnreadable::fail)).catalogue;
}

Task<CataloguePtr> load_catalogue(redis::Redis& redis, RealmKeys const& keys, CataloguePtr catalogue,
                                  CatalogueSource source, IfMissing if_missing) {
  for (;;) {
    // A command also replaces an unreadable catalogue. Then the keys of the old items are unknown.
    bool const by_hand = source == CatalogueSource::command;
    auto const stored =
        co_await read_stored(redis, keys, by_hand ? IfUnreadable::ignore : IfUnreadable::fail);
    if (stored.version == closed_version)
      throw RealmClosed(fmt::format("the realm of {} is being deleted; try again later", keys.catalogue()));
    if (stored.version.empty() && if_missing == IfMissing::leave) co_return nullptr;
    auto const& before = stored.catalogue;
    if (before && !by_hand && (stored.by_command || before->version == catalogue->version)) co_return before;
    std::vector<UserId> inventories;
    if (stored.version.empty() && co_await has_players(redis, keys)) {
      inventories = co_await inventory_owners(redis, keys);
    }
    auto const loaded =
        co_await redis.run(redis::Use::idempotent_write,
                           scripts::load_catalogue(keys, {.version_before = stored.version,
                                                          .before = before.get(),
                                                          .after = *catalogue,
                                                          .source = by_hand ? by_command : by_start,
                                                          .inventories = inventories}));
    if (loaded.integer() == 1) co_return catalogue;
    // Somebody else was faster. Or this call itself has succeeded, and only its answer was lost: then the
    // next round changes nothing.
  }
}

Task<void> restore_catalogue(redis::Redis& redis, RealmKeys const& keys, CataloguePtr catalogue,
                             CatalogueSource source) {
  auto const stored = co_await read_stored(redis, keys, IfUnreadable::ignore);
  co_await redis.run(
      redis::Use::idempotent_write,
      scripts::load_catalogue(keys, {.version_before = stored.version,
                                     .before = stored.catalogue.get(),
                                     .after = *catalogue,
                                     .source = source == CatalogueSource::command ? by_command : by_start,
                                     .tell = false}));
}

Task<void> tell_catalogue(redis::Redis& redis, RealmKeys const& keys) {
  auto const stored = co_await read_stored(redis, keys, IfUnreadable::ignore);
  if (!stored.catalogue) co_return;
  co_await redis.run(redis::Use::idempotent_write,
                     scripts::load_catalogue(keys, {.version_before = stored.version,
                                                    .before = stored.catalogue.get(),
                                                    .after = *stored.catalogue,
                                                    .source = stored.by_command ? by_command : by_start}));
}

Task<std::vector<RealmId>> all_realms(redis::Redis& redis) {
  auto const reply = co_await redis.command(redis::Use::read, realms_key, {"SMEMBERS", realms_key});
  std::vector<RealmId> realms;
  for (std::size_t i = 0; i < reply.size(); ++i) {
    if (auto id = RealmId::from(reply.at(i).text())) realms.push_back(std::move(*id));
  }
  co_return realms;
}

Task<void> register_realm(redis::Redis& redis, RealmId const& id) {
  co_await redis.command(redis::Use::idempotent_write, realms_key, {"SADD", realms_key, id.str()});
}

// The list and the catalogue are in different slots. A creation that loads the catalogue before the second
// look is seen by it. A creation that loads the catalogue later registers the realm after that.
Task<void> unregister_unborn(redis::Redis& redis, RealmId const& id) {
  RealmKeys const keys(id);
  if (co_await catalogue_version(redis, keys)) co_return;
  co_await redis.command(redis::Use::idempotent_write, realms_key, {"SREM", realms_key, id.str()});
  if (co_await catalogue_version(redis, keys)) co_await register_realm(redis, id);
}

Task<void> announce_realm(redis::Redis& redis, RealmId const& id) {
  co_await redis.command(redis::Use::idempotent_write, busy_key, {"ZADD", busy_key, "NX", "0", id.str()});
}

}  // namespace larder::economy
