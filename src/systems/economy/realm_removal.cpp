#include "systems/economy/realm_removal.hpp"

#include "kit/events/projector.hpp"
#include "kit/schedule/due_set.hpp"
#include "systems/economy/economy_scripts.hpp"
#include "systems/economy/realm_catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::economy {

namespace {

constexpr std::int64_t removed_at_once = 100;
constexpr auto projector_patience = std::chrono::milliseconds(1000);

using Names = std::vector<std::string>;

class Removal {
 public:
  Removal(redis::Redis& redis, EconomyJournal& journal, RealmId realm, std::function<bool()> stopping)
      : redis_(redis),
        journal_(journal),
        realm_(std::move(realm)),
        keys_(realm_),
        stopping_(std::move(stopping)) {}

  Task<bool> run() {
    // SQL tells whose keys there are, so SQL must know all events.
    if (!co_await events::caught_up(redis_, keys_.points(), projector_patience)) co_return false;
    if (!co_await events::caught_up(redis_, keys_.items(), projector_patience)) co_return false;
    co_await read_rewards();
    if (!co_await forget_players()) co_return false;
    auto const points = events::parse_id(co_await journal_.newest(realm_, EconomyEvent::Of::points));
    auto const items = events::parse_id(co_await journal_.newest(realm_, EconomyEvent::Of::items));
    auto const positions = co_await journal_.positions(realm_);
    // If the realm is no longer closed, another server has deleted it, and positions and events may be those
    // of a new one.
    if (!co_await is_closed(redis_, keys_)) co_return true;
    // Before the outboxes: if only SQL knew an outbox, it would count as lost.
    co_await journal_.forget_positions(positions);
    if (!co_await forget_rest()) co_return true;
    do {
      if (stopping_()) co_return false;
    } while (co_await journal_.forget_some(realm_, std::max(points.first, items.first)));
    co_await redis_.command(redis::Use::idempotent_write, realms_key, {"SREM", realms_key, realm_.str()});
    co_await redis_.command(redis::Use::idempotent_write, busy_key, {"ZREM", busy_key, realm_.str()});
    // Last: from here on the realm can begin anew.
    co_await forget({keys_.catalogue_data(), keys_.catalogue_source(), keys_.catalogue()}, {});
    co_return true;
  }

 private:
  Task<void> read_rewards() {
    auto const key = keys_.catalogue_data();
    auto const data = co_await redis_.command(redis::Use::read, key, {"GET", key});
    auto catalogue = data.is_nil() ? Result<Catalogue>(*ajo_catalogue()) : parse_catalogue(data.text());
    if (catalogue) catalogue_ = std::move(*catalogue);
  }

  // Everybody who has a key has an event: of points or items, or one that told the state behind the key.
  // Returns false if it was stopped.
  Task<bool> forget_players() {
    for (auto const of : {EconomyJournal::Users::with_history, EconomyJournal::Users::with_state}) {
      for (std::string after;;) {
        if (stopping_()) co_return false;
        auto const users = co_await journal_.users(realm_, after, removed_at_once, of);
        if (users.empty()) break;
        after = users.back();
        co_await forget_players(users);
      }
    }
    // Players who came on the leaderboard by hand.
    auto const board = keys_.leaderboard();
    auto const last = fmt::to_string(removed_at_once - 1);
    for (;;) {
      if (stopping_()) co_return false;
      auto const found = co_await redis_.command(redis::Use::read, board, {"ZRANGE", board, "0", last});
      if (found.size() == 0) co_return true;
      Names players;
      for (std::size_t i = 0; i < found.size(); ++i) players.emplace_back(found.at(i).text());
      if (!co_await forget_players(players)) co_return true;
    }
  }

  Task<bool> forget_players(Names const& players) {
    Names keys;
    for (auto const& player : players) {
      auto const id = UserId::from(player);
      if (!id || problem_of_player(*id)) continue;
      keys.insert(keys.end(),
                  {keys_.name(*id), keys_.inventory(*id), keys_.vampire(*id), keys_.farm_lock(*id)});
      for (auto const kind : all_effects) keys.push_back(keys_.effect(*id, kind));
      for (auto& cooldown : cooldowns_of(keys_, catalogue_, *id)) keys.push_back(std::move(cooldown.key));
    }
    co_return co_await forget(std::move(keys), players);
  }

  Task<bool> forget_rest() {
    Names keys{keys_.leaderboard(), keys_.drop_rate(), keys_.bomb(),
               keys_.bomb_due(),    keys_.bombs(),     keys_.imported()};
    for (auto const& item : catalogue_.items)
      keys.insert(keys.end(), {keys_.item(item.id), keys_.craft(item.id)});
    for (auto const& stream : {keys_.points(), keys_.items()}) {
      events::OutboxKeys const outbox(stream);
      keys.insert(keys.end(),
                  {outbox.stream, outbox.lease, outbox.projected, outbox.dead, outbox.retry, outbox.lost});
    }
    schedule::DueSetKeys const due(keys_.bombs_schedule());
    keys.insert(keys.end(), {due.due, due.failures, due.dead, due.reasons});
    co_return co_await forget(std::move(keys), {});
  }

  Task<bool> forget(Names keys, Names players) {
    auto const deleted = co_await redis_.run(redis::Use::idempotent_write,
                                             scripts::delete_keys(keys_, closed_version, keys, players));
    co_return deleted.integer() == 1;
  }

  redis::Redis& redis_;
  EconomyJournal& journal_;
  RealmId realm_;
  RealmKeys keys_;
  Catalogue catalogue_;
  std::function<bool()> stopping_;
};

}  // namespace

Task<bool> close_realm(redis::Redis& redis, RealmId realm) {
  RealmKeys const keys(realm);
  auto const closed =
      co_await redis.run(redis::Use::idempotent_write, scripts::close_realm(keys, closed_version));
  if (closed.integer() == 0) co_return false;
  co_await announce_closed(redis, realm);
  co_return true;
}

Task<void> announce_closed(redis::Redis& redis, RealmId const& realm) {
  co_await redis.command(redis::Use::idempotent_write, closing_key, {"SADD", closing_key, realm.str()});
}

Task<bool> is_closed(redis::Redis& redis, RealmKeys const& keys) {
  co_return co_await catalogue_version(redis, keys) == closed_version;
}

Task<std::vector<RealmId>> closed_realms(redis::Redis& redis) {
  auto const reply = co_await redis.command(redis::Use::read, closing_key, {"SMEMBERS", closing_key});
  std::vector<RealmId> realms;
  for (std::size_t i = 0; i < reply.size(); ++i) {
    if (auto id = RealmId::from(reply.at(i).text())) realms.push_back(std::move(*id));
  }
  co_return realms;
}

Task<bool> delete_closed_realm(redis::Redis& redis, EconomyJournal& journal, RealmId realm,
                               std::function<bool()> stopping) {
  if (co_await is_closed(redis, RealmKeys(realm))) {
    Removal removal(redis, journal, realm, std::move(stopping));
    if (!co_await removal.run()) co_return false;
  }
  co_await redis.command(redis::Use::idempotent_write, closing_key, {"SREM", closing_key, realm.str()});
  co_return true;
}

}  // namespace larder::economy
