// The economy: players have points on a leaderboard and items in an inventory. Moves change both.
#pragma once

#include "base/metrics.hpp"
#include "base/random.hpp"
#include "base/single_flight.hpp"
#include "base/time.hpp"
#include "kit/boards/board.hpp"
#include "stores/redis/redis.hpp"
#include "systems/economy/economy_journal.hpp"
#include "systems/economy/economy_scripts.hpp"
#include "systems/economy/economy_types.hpp"
#include "systems/economy/realm.hpp"

#include <functional>
#include <map>
#include <memory>

namespace larder::economy {

// What the Economy objects of all io threads share. The functions must be thread-safe:
// every io thread calls them.
struct Shared {
  EconomyJournal& journal;
  Clock const& clock;
  Metrics& metrics;
  CataloguePtr catalogue = ajo_catalogue();  // of a new realm
  std::function<void(RealmPtr const&)> on_new_realm = [](RealmPtr const&) {};
  std::function<void(Realm const&)> wake_projector = [](Realm const&) {};
  std::function<void(RealmId const&)> on_closed_realm = [](RealmId const&) {};
  std::function<void(Realm const&, TimeMs due)> wake_schedule = [](Realm const&, TimeMs) {};
  RealmBook realms = {};
};

// Thread-compatible: one per io thread. Throws StoreError when a store is unavailable. If the outcome of a
// move is unknown, repeat the move with the same Idempotency-Key; without a key it could happen twice.
//
// A move is one script: it happens completely, or, if it is refused, not at all. An Idempotency-Key also
// remembers a refusal that came from the script, if the realm exists. The first move that succeeds creates
// its realm. A refused one leaves nothing.
class Economy {
 public:
  Economy(redis::Redis& redis, Shared& shared);

  Task<Result<Done<Farmed>>> farm(Move move, std::string name);
  Task<Result<Done<Paid>>> pay(Move move, UserId to, Amount amount);
  Task<Result<Done<Rewarded>>> claim(Move move, std::string reward);
  // Without an amount, the player gambles the whole balance.
  Task<Result<Done<Gambled>>> gamble(Move move, std::optional<Amount> amount);
  Task<Result<Done<Discombobulated>>> discombobulate(Move move, UserId target, Amount offer);

  // `item` is the id or a short name of an item.
  Task<Result<Done<Traded>>> trade(Move move, UserId to, std::string item, std::int64_t quantity);
  // Sells items to the bank.
  Task<Result<Done<Sold>>> sell(Move move, std::string item, std::int64_t quantity);
  Task<Result<Done<Crafted>>> craft(Move move, std::string item);
  Task<Result<Done<Used>>> use(Move move, std::string item, std::optional<UserId> target);
  Task<Result<Done<Planted>>> plant_bomb(Move move, std::int64_t seconds);
  Task<Result<Done<Inspected>>> inspect(Move move, UserId target);

  // Ignores the player of the move.
  Task<Result<Done<RouletteId>>> start_roulette(Move move);
  Task<Result<Done<Shot>>> shoot(Move move, RouletteId roulette);

  // For operators: changes what a player has, and tells why.
  Task<Result<Done<PlayerView>>> adjust(Move move, Adjustment adjustment);
  // Deletes a player's state. The history stays, and an event says that the player was deleted.
  Task<Result<Done<Deleted>>> delete_player(Move move);
  // Imports players in one step. The outcome of each is the same when it is asked for again. At most
  // imported_at_once players, each only once.
  static constexpr std::size_t imported_at_once = 100;
  Task<Result<std::vector<Result<Import>>>> import_players(RealmId realm, std::vector<NewPlayer> players);
  Task<Result<PlayerExport>> export_player(RealmId realm, UserId id);

  Task<Result<PlayerView>> player(RealmId realm, UserId id);
  // The top `limit` players. With `around`: up to `limit` players with that player in the middle, or nobody
  // if that player has no score.
  Task<Result<std::vector<Standing>>> leaderboard(RealmId realm, std::int64_t limit,
                                                  std::optional<UserId> around);
  // Those who have events, with their present balances. Like events(), waits for the projector.
  Task<Result<std::vector<ListedPlayer>>> players(RealmId realm, PlayersQuery query);
  Task<Result<CataloguePtr>> catalogue(RealmId realm);

  // The events of one player or of all players, newest first. Waits up to 2 s per stream for the projector,
  // so the answer normally has every event that was written before the call.
  Task<Result<std::vector<EconomyEvent>>> events(RealmId realm, EventQuery query);

  // For the scheduler, when a bomb of this player may be due.
  Task<void> arm_bomb(RealmPtr realm, UserId player);
  // The realm with its catalogue. Creates the realm if it is new, or refuses with realm_not_found.
  Task<Result<RealmPtr>> open(RealmId id, IfMissing if_missing = IfMissing::create);
  // Creates the realm if Redis does not have it.
  Task<Result<Created>> create(RealmId id);
  // Closes the realm. From then on it refuses every move, and the background deletes it.
  Task<Result<void>> remove(RealmId id);
  // Sorted by name.
  Task<std::vector<RealmId>> realms();

 private:
  class Answer;
  using MakeCall = std::function<Result<redis::ScriptCall>(Turn const&)>;

  // Runs the script of a move. `make_call` makes the call, or refuses the move before its script runs. If the
  // realm's catalogue has changed, `make_call` is called again with the new catalogue.
  Task<Result<Answer>> run(std::string_view name, Move const& move, MakeCall make_call);
  Task<Result<redis::Reply>> ask(Move const& move, redis::ScriptCall call);
  static Used read_used(Answer& answer);
  static PlayerView read_adjusted(Answer& answer, UserId player);
  // Makes realm.catalogue() current. `seen` is the catalogue that may be out of date. Refusal: realm_lost.
  Task<Result<void>> refresh(Realm& realm, CataloguePtr seen);
  Task<CataloguePtr> load(RealmId const& id, IfMissing if_missing);
  Task<void> open_outboxes(RealmId const& id);
  Task<void> reload(Realm& realm);
  Task<Result<std::vector<ListedPlayer>>> add_balances(RealmId const& id, std::vector<PlayerLine> lines);
  Task<Result<PlayerView>> read_player(RealmId id, UserId player);
  Task<Result<std::vector<boards::Place>>> read_places(RealmId const& id, std::int64_t limit,
                                                       std::optional<UserId> around);
  Task<Result<std::vector<Standing>>> read_leaderboard(RealmId id, std::int64_t limit,
                                                       std::optional<UserId> around);
  Task<RealmPtr> find(RealmId const& id);  // null if Redis does not have the realm
  // For views: does not create a realm that does not exist.
  Task<Result<RealmPtr>> look_up(RealmId const& id);
  std::optional<Error> problem_of(RealmId const& id) const;
  RealmPtr opened(RealmId const& id) const;  // null if this process has not opened it
  void count(std::string_view name, std::string_view outcome, double seconds);

  redis::Redis& redis_;
  Shared& shared_;
  Random random_;
  SingleFlight loading_;  // a catalogue is large, and thousands of concurrent moves need it only once
  struct Counted {
    prometheus::Histogram* seconds = nullptr;
    std::map<std::string, prometheus::Counter*, std::less<>> outcomes;
  };
  std::map<std::string, Counted, std::less<>> counted_;  // by move
};

}  // namespace larder::economy
