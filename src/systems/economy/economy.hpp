// The economy: players with points on a leaderboard and items in an inventory, and the moves that change
// them.
#pragma once

#include "base/metrics.hpp"
#include "base/random.hpp"
#include "base/single_flight.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"
#include "systems/economy/economy_journal.hpp"
#include "systems/economy/economy_scripts.hpp"
#include "systems/economy/economy_types.hpp"
#include "systems/economy/realm.hpp"

#include <functional>
#include <map>
#include <memory>

namespace larder::economy {

// What the economies of all io threads share. The functions are called from all of them.
struct Shared {
  EconomyJournal& journal;
  Clock const& clock;
  Metrics& metrics;
  CataloguePtr catalogue = ajo_catalogue();  // what a new realm gets
  std::function<void(RealmPtr const&)> on_new_realm = [](RealmPtr const&) {};
  std::function<void(Realm const&)> wake_projector = [](Realm const&) {};
  std::function<void(Realm const&, TimeMs due)> wake_schedule = [](Realm const&, TimeMs) {};
  RealmBook realms = {};
};

// Thread-compatible: one per io thread. Throws StoreError when a store is away; a move whose outcome is
// unknown may be repeated with the same Idempotency-Key, and only with one.
//
// A move is one script: it happens entirely or, if it is refused, not at all. An Idempotency-Key also keeps a
// refusal that a script has given. A realm begins with the first move in it.
class Economy {
 public:
  Economy(redis::Redis& redis, Shared& shared);

  Task<Result<Done<Farmed>>> farm(Move move, std::string name);
  Task<Result<Done<Paid>>> pay(Move move, UserId to, Amount amount);
  Task<Result<Done<Rewarded>>> claim(Move move, std::string reward);
  // Without an amount: all.
  Task<Result<Done<Gambled>>> gamble(Move move, std::optional<Amount> amount);
  Task<Result<Done<Discombobulated>>> discombobulate(Move move, UserId target, Amount offer);

  // Items may be named by their id or a short name.
  Task<Result<Done<Traded>>> trade(Move move, UserId to, std::string item, std::int64_t quantity);
  Task<Result<Done<Crafted>>> craft(Move move, std::string item);
  Task<Result<Done<Used>>> use(Move move, std::string item, std::optional<UserId> target);
  Task<Result<Done<Planted>>> plant_bomb(Move move, std::int64_t seconds);
  Task<Result<Done<Inspected>>> inspect(Move move, UserId target);

  // The player of the move is not looked at.
  Task<Result<Done<RouletteId>>> start_roulette(Move move);
  Task<Result<Done<Shot>>> shoot(Move move, RouletteId roulette);

  Task<Result<PlayerView>> player(RealmId realm, UserId id);
  // The top; or as many around a player as fit, the player in the middle, nobody if the player owns nothing.
  Task<Result<std::vector<Standing>>> leaderboard(RealmId realm, std::int64_t limit,
                                                  std::optional<UserId> around);
  Task<Result<CataloguePtr>> catalogue(RealmId realm);

  // Of a player, or of all; newest first, those included that were written just before.
  Task<Result<std::vector<EconomyEvent>>> events(RealmId realm, EventQuery query);

  // For the schedule: a bomb of this player may be due.
  Task<void> arm_bomb(RealmPtr realm, UserId player);
  // The realm with its catalogue, made if it is new.
  Task<Result<RealmPtr>> open(RealmId id);

 private:
  class Answer;
  using MakeCall = std::function<Result<redis::ScriptCall>(Turn const&)>;

  // Runs the script of a move. `make_call` makes the call, or refuses the move before its script runs. The
  // call is made again if the realm has another catalogue by now.
  Task<Result<Answer>> run(std::string_view name, Move const& move, MakeCall make_call);
  static Used read_used(Answer& answer);
  // The catalogue that the realm has now; `seen` is the one that may be older.
  Task<void> refresh(Realm& realm, CataloguePtr seen);
  Task<void> load(RealmId const& id);
  Task<void> reload(Realm& realm);
  // For reading: a realm that nobody has opened is not opened by a look.
  Task<Result<RealmPtr>> look_up(RealmId const& id);
  std::optional<Error> problem_of(RealmId const& id) const;
  RealmPtr opened(RealmId const& id) const;  // null if nobody has opened it here
  void count(std::string_view name, std::string_view outcome, double seconds);

  redis::Redis& redis_;
  Shared& shared_;
  Random random_;
  SingleFlight loading_;  // a catalogue is large, and thousands of moves at once need it once
  struct Counted {
    prometheus::Histogram* seconds = nullptr;
    std::map<std::string, prometheus::Counter*, std::less<>> outcomes;
  };
  std::map<std::string, Counted, std::less<>> counted_;  // by move
};

}  // namespace larder::economy
