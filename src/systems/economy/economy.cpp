#include "systems/economy/economy.hpp"

#include "base/number.hpp"
#include "base/try.hpp"
#include "kit/events/projector.hpp"
#include "stores/redis/reply_reader.hpp"
#include "systems/economy/answer.hpp"
#include "systems/economy/realm_catalogue.hpp"
#include "systems/economy/realm_removal.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::economy {

namespace {

constexpr int catalogue_attempts = 5;
constexpr std::size_t roulette_id_bytes = 8;
// Never leaves this file. It means that a move would succeed, but in a realm that does not exist.
constexpr ErrorCode unborn_realm{ErrorKind::internal, "unborn_realm"};

std::unexpected<Error> too_small(std::string field) {
  return invalid(std::move(field), "must be at least 1");
}

// A realm that cannot be loaded. It is an exception, because all who wait for the same realm must get it.
struct Refused : std::runtime_error {
  explicit Refused(Error refusal) : std::runtime_error(refusal.detail), error(std::move(refusal)) {}
  Error error;
};

Error lost_realm(std::string_view why) {
  return {.code = errors::realm_lost,
          .detail = fmt::format(
              "Redis has lost this realm, or SQL has ({}); stop the servers and run `larder rebuild`", why)};
}

std::unexpected<Error> being_deleted() {
  return refuse(errors::realm_closed, "the realm is being deleted; when that is done, it can begin anew");
}

std::unexpected<Error> no_realm(RealmId const& id) {
  return refuse(errors::realm_not_found, fmt::format("there is no realm {}", id.str()));
}

}  // namespace

Economy::Economy(redis::Redis& redis, Shared& shared)
    : redis_(redis), shared_(shared), random_(random_seed()) {}

std::optional<Error> Economy::problem_of(RealmId const& id) const {
  if (!redis_.is_cluster() || id.str() != default_realm) return std::nullopt;
  return Error{.code = errors::realm_needs_name,
               .detail =
                   "the default realm has keys without a prefix, which a cluster cannot keep together; use a "
                   "realm with a name, like /v1/economy/main"};
}

RealmPtr Economy::opened(RealmId const& id) const {
  auto realm = shared_.realms.find(id);
  return realm && realm->catalogue() ? realm : nullptr;
}

Task<Result<RealmPtr>> Economy::open(RealmId id, IfMissing if_missing) {
  if (auto problem = problem_of(id)) co_return std::unexpected(std::move(*problem));
  auto realm = opened(id);
  try {
    while (!realm) {
      co_await loading_.run(id.str(), [&]() -> Task<void> { co_await load(id, if_missing); });
      realm = opened(id);
    }
  } catch (Refused const& refused) {
    co_return std::unexpected(refused.error);
  }
  co_return realm;
}

// A realm that SQL knows and Redis does not is not new, but lost: an empty one must not take its place.
Task<void> Economy::open_outboxes(RealmId const& id) {
  auto const lost = co_await shared_.journal.open_outboxes(redis_, id);
  if (!lost.empty()) throw Refused(lost_realm(lost));
}

// Returns the catalogue as it was loaded, because another thread may close the realm at any time.
Task<CataloguePtr> Economy::load(RealmId const& id, IfMissing if_missing) {
  RealmKeys const keys(id);
  auto catalogue = co_await read_catalogue(redis_, keys);
  if (!catalogue) {
    auto const version = co_await catalogue_version(redis_, keys);
    if (version == closed_version) throw Refused(being_deleted().error());
    if (!version && if_missing == IfMissing::leave) throw Refused(no_realm(id).error());
  }
  co_await open_outboxes(id);
  co_await register_realm(redis_, id);
  if (!catalogue) {
    catalogue = co_await load_catalogue(redis_, keys, shared_.catalogue, CatalogueSource::start, if_missing);
    if (!catalogue) throw Refused(no_realm(id).error());  // deleted meanwhile
    co_await register_realm(redis_, id);
    co_await announce_realm(redis_, id);
  }
  auto const [realm, fresh] = shared_.realms.add(id);
  realm->put(catalogue);
  if (fresh) shared_.on_new_realm(realm);
  co_return catalogue;
}

Task<Result<Created>> Economy::create(RealmId id) {
  if (auto problem = problem_of(id)) co_return std::unexpected(std::move(*problem));
  bool const existed = bool(co_await read_catalogue(redis_, RealmKeys(id)));
  try {
    co_return Created{.catalogue = co_await load(id, IfMissing::create), .created = !existed};
  } catch (Refused const& refused) {
    co_return std::unexpected(refused.error);
  }
}

Task<Result<void>> Economy::remove(RealmId id) {
  if (auto problem = problem_of(id)) co_return std::unexpected(std::move(*problem));
  if (!co_await close_realm(redis_, id)) co_return no_realm(id);
  if (auto const realm = shared_.realms.find(id)) realm->put(nullptr);
  shared_.on_closed_realm(id);
  co_return Result<void>{};
}

Task<std::vector<RealmId>> Economy::realms() {
  auto realms = co_await all_realms(redis_);
  std::ranges::sort(realms, {}, [](RealmId const& id) { return id.str(); });
  co_return realms;
}

Task<RealmPtr> Economy::find(RealmId const& id) {
  if (auto realm = opened(id)) co_return realm;
  if (!co_await read_catalogue(redis_, RealmKeys(id))) co_return nullptr;
  co_return (co_await open(id)).value_or(nullptr);
}

Task<Result<RealmPtr>> Economy::look_up(RealmId const& id) {
  if (auto problem = problem_of(id)) co_return std::unexpected(std::move(*problem));
  if (auto realm = co_await find(id)) co_return realm;
  if (co_await is_closed(redis_, RealmKeys(id))) co_return being_deleted();
  auto realm = std::make_shared<Realm>(id);
  realm->put(shared_.catalogue);
  co_return realm;
}

Task<Result<void>> Economy::refresh(Realm& realm, CataloguePtr seen) {
  auto const key = realm.keys.catalogue();
  auto const version = co_await redis_.command(redis::Use::read, key, {"GET", key});
  if (!version.is_nil() && version.text() == seen->version) co_return Result<void>{};
  try {
    bool loaded = false;
    while (!loaded && realm.catalogue() == seen)
      loaded = co_await loading_.run(realm.id.str(), [&] { return reload(realm); });
  } catch (Refused const& refused) {
    co_return std::unexpected(refused.error);
  }
  co_return Result<void>{};
}

// A realm without a catalogue was deleted, or this Redis has lost it: SQL knows. The next move that succeeds
// creates a realm that was deleted.
Task<void> Economy::reload(Realm& realm) {
  auto catalogue = co_await read_catalogue(redis_, realm.keys);
  if (!catalogue && !co_await is_closed(redis_, realm.keys)) {
    std::vector<std::string> outboxes{realm.keys.points(), realm.keys.items()};
    for (auto const& standing :
         co_await events::compare_positions(redis_, shared_.journal.database(), std::move(outboxes))) {
      if (!standing.good()) throw Refused(lost_realm(standing.why()));
    }
  }
  realm.put(std::move(catalogue));
}

Task<Result<redis::Reply>> Economy::ask(Move const& move, redis::ScriptCall call) {
  try {
    co_return co_await redis_.run(move.idempotency_key ? redis::Use::idempotent_write : redis::Use::write,
                                  std::move(call));
  } catch (redis::ReplyError const& error) {
    if (auto refusal = foreign_value(error)) co_return std::unexpected(std::move(*refusal));
    if (std::string_view(error.what()).find("UNBORN") == std::string_view::npos) throw;
    co_return refuse(unborn_realm, "the realm does not exist");
  }
}

Task<Result<Economy::Answer>> Economy::run(std::string_view name, Move const& move, MakeCall make_call) {
  LARDER_ASSERT(!move.idempotency_key || !move.idempotency_key->fingerprint.empty());
  Stopwatch const watch;
  if (auto problem = problem_of(move.realm)) co_return std::unexpected(std::move(*problem));
  RealmKeys const keys(move.realm);
  auto const seed = move.seed.value_or(std::uint32_t(random_.next() >> 33U));
  for (int attempt = 1;; ++attempt) {
    auto realm = opened(move.realm);
    if (!realm) realm = co_await find(move.realm);
    auto catalogue = realm ? realm->catalogue() : nullptr;
    bool const unborn = !catalogue;
    if (unborn) catalogue = shared_.catalogue;
    Turn const turn{.keys = keys,
                    .catalogue = *catalogue,
                    .move = move,
                    .unborn = unborn,
                    .seed = seed,
                    .now = shared_.clock.now()};
    auto call = make_call(turn);
    bool const refused = !call;
    if (refused) {
      // The refusal may be due to an old catalogue.
      if (!unborn) CO_TRY_DO(co_await refresh(*realm, catalogue));
      auto const current = unborn ? catalogue : realm->catalogue();
      if ((!current || current->version != catalogue->version) && attempt < catalogue_attempts) continue;
      if (!move.idempotency_key) {
        count(name, call.error().code.name, watch.seconds());
        co_return std::unexpected(std::move(call.error()));
      }
    }
    // Also for a refused move: the key may remember what the move did under an older catalogue.
    auto const asked = co_await ask(move, refused ? scripts::recall(turn) : std::move(*call));
    if (!asked && asked.error().code == unborn_realm && attempt < catalogue_attempts) {
      if (auto const born = co_await open(move.realm); !born) co_return std::unexpected(born.error());
      continue;
    }
    if (!asked) {
      count(name, asked.error().code.name, watch.seconds());
      co_return std::unexpected(asked.error());
    }
    auto const& reply = *asked;
    redis::ReplyReader in(reply);
    auto const status = in.integer();
    if (status == 2) co_return refuse(errors::idempotency_conflict, "this key was used for another request");
    if (status == 3 && refused) {
      count(name, call.error().code.name, watch.seconds());
      co_return std::unexpected(std::move(call.error()));
    }
    if (status == 3) {
      if (unborn && co_await is_closed(redis_, keys)) co_return being_deleted();
      if (attempt == catalogue_attempts) throw std::runtime_error("the catalogue changes all the time");
      if (!unborn) CO_TRY_DO(co_await refresh(*realm, catalogue));
      continue;
    }
    Answer answer(reply.script(), in.text(), status == 1);
    in.end();
    // If the call had to be repeated, it may find its own answer.
    if (!answer.replayed() || reply.repeated()) {
      count(name, answer.status(), watch.seconds());
      if (realm) shared_.wake_projector(*realm);
    }
    if (answer.status() == "ok") co_return answer;
    auto refusal = answer.refusal();
    refusal.replayed = answer.replayed();
    refusal.kept = move.idempotency_key.has_value();
    co_return std::unexpected(std::move(refusal));
  }
}

void Economy::count(std::string_view name, std::string_view outcome, double seconds) {
  auto counted = counted_.find(name);
  if (counted == counted_.end()) {
    auto& histogram =
        shared_.metrics.seconds("larder_economy_seconds", "Time from a request to the decision of its move",
                                {{"move", std::string(name)}});
    counted = counted_.emplace(name, Counted{.seconds = &histogram, .outcomes = {}}).first;
  }
  auto& outcomes = counted->second.outcomes;
  auto found = outcomes.find(outcome);
  if (found == outcomes.end()) {
    auto& counter = shared_.metrics.counter("larder_economy_moves_total", "Moves that were decided",
                                            {{"move", std::string(name)}, {"outcome", std::string(outcome)}});
    found = outcomes.emplace(outcome, &counter).first;
  }
  found->second->Increment();
  counted->second.seconds->Observe(seconds);
}

Task<Result<Done<Farmed>>> Economy::farm(Move move, std::string name) {
  // A player's name is the only key that consists of the id alone.
  if (auto problem = problem_of_player(move.player)) co_return invalid("id", std::move(*problem));
  auto answer = co_await run("farm", move, [&](Turn const& turn) { return scripts::farm(turn, name); });
  if (!answer) co_return std::unexpected(answer.error());
  Farmed farmed{.gained = answer->number(), .balance = answer->number()};
  Farmed::Drop drop{.item = std::string(answer->text()), .stack = answer->number()};
  Farmed::Bite const bite{
      .level = answer->number(), .damage = answer->number(), .necklace_used = answer->flag()};
  Farmed::Blast blast{.owner = std::string(answer->text()), .damage = answer->number()};
  farmed.roll = answer->roll();
  answer->end();
  if (!drop.item.empty()) farmed.drop = std::move(drop);
  if (bite.level > 0) farmed.vampire = bite;
  if (!blast.owner.empty()) farmed.bomb = std::move(blast);
  co_return Done<Farmed>{std::move(farmed), answer->replayed()};
}

Task<Result<Done<Paid>>> Economy::pay(Move move, UserId to, Amount amount) {
  if (amount.value() < 1) co_return too_small("amount");
  if (to == move.player) co_return refuse(errors::self_target, "points cannot be paid to oneself");
  auto answer = co_await run("pay", move, [&](Turn const& turn) { return scripts::pay(turn, to, amount); });
  if (!answer) co_return std::unexpected(answer.error());
  Paid const paid{.balance = answer->number(), .to_balance = answer->number()};
  answer->end();
  co_return Done<Paid>{paid, answer->replayed()};
}

Task<Result<Done<Rewarded>>> Economy::claim(Move move, std::string reward) {
  auto answer = co_await run("claim", move, [&](Turn const& turn) -> Result<redis::ScriptCall> {
    auto const* const found = turn.catalogue.find_reward(reward);
    if (found == nullptr)
      return refuse(errors::reward_not_found, fmt::format("there is no reward {}", reward));
    return scripts::claim_reward(turn, *found);
  });
  if (!answer) co_return std::unexpected(answer.error());
  Rewarded const rewarded{.reward = answer->number(), .balance = answer->number()};
  answer->end();
  co_return Done<Rewarded>{rewarded, answer->replayed()};
}

Task<Result<Done<Gambled>>> Economy::gamble(Move move, std::optional<Amount> amount) {
  if (amount && amount->value() < 1) co_return too_small("amount");
  auto answer = co_await run("gamble", move, [&](Turn const& turn) { return scripts::gamble(turn, amount); });
  if (!answer) co_return std::unexpected(answer.error());
  Gambled gambled{.change = answer->number(), .balance = answer->number(), .roll = answer->roll()};
  answer->end();
  co_return Done<Gambled>{std::move(gambled), answer->replayed()};
}

Task<Result<Done<Discombobulated>>> Economy::discombobulate(Move move, UserId target, Amount offer) {
  if (offer.value() < 1) co_return too_small("amount");
  if (target == move.player) co_return refuse(errors::self_target, "one cannot discombobulate oneself");
  auto answer = co_await run("discombobulate", move,
                             [&](Turn const& turn) { return scripts::discombobulate(turn, target, offer); });
  if (!answer) co_return std::unexpected(answer.error());
  Discombobulated done{.damage = answer->number(),
                       .balance = answer->number(),
                       .target_balance = answer->number(),
                       .locked_s = answer->number(),
                       .roll = answer->roll()};
  answer->end();
  co_return Done<Discombobulated>{std::move(done), answer->replayed()};
}

Task<Result<Done<RouletteId>>> Economy::start_roulette(Move move) {
  auto const id = RouletteId::from(random_hex(roulette_id_bytes)).value();
  auto answer = co_await run("start_roulette", move,
                             [&](Turn const& turn) { return scripts::start_roulette(turn, id); });
  if (!answer) co_return std::unexpected(answer.error());
  auto started = RouletteId::from(answer->text()).value();
  answer->end();
  co_return Done<RouletteId>{std::move(started), answer->replayed()};
}

Task<Result<Done<Shot>>> Economy::shoot(Move move, RouletteId roulette) {
  auto answer =
      co_await run("shoot", move, [&](Turn const& turn) { return scripts::shoot_roulette(turn, roulette); });
  if (!answer) co_return std::unexpected(answer.error());
  Shot shot{.hit = answer->flag(), .lost = answer->number(), .balance = answer->number()};
  if (shot.hit) shot.roll = answer->roll();
  answer->end();
  co_return Done<Shot>{std::move(shot), answer->replayed()};
}

Task<void> Economy::arm_bomb(RealmPtr realm, UserId player) {
  co_await redis_.run(redis::Use::idempotent_write,
                      scripts::arm_bomb(realm->keys, player, shared_.clock.now()));
  shared_.wake_projector(*realm);
}

}  // namespace larder::economy
