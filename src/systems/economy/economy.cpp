#include "systems/economy/economy.hpp"

#include "base/number.hpp"
#include "kit/events/projector.hpp"
#include "larder_economy_scripts.hpp"
#include "systems/economy/answer.hpp"
#include "systems/economy/realm_catalogue.hpp"

#include <fmt/format.h>

namespace larder::economy {

namespace {

redis::Script const farm_script{lua::farm};
redis::Script const pay_script{lua::pay};
redis::Script const claim_reward_script{lua::claim_reward};
redis::Script const gamble_script{lua::gamble};
redis::Script const discombobulate_script{lua::discombobulate};
redis::Script const start_roulette_script{lua::start_roulette};
redis::Script const shoot_roulette_script{lua::shoot_roulette};
redis::Script const arm_bomb_script{lua::arm_bomb};

constexpr int catalogue_attempts = 5;
constexpr std::size_t roulette_id_bytes = 8;

std::unexpected<Error> too_small(std::string field) {
  return invalid(std::move(field), "must be at least 1");
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

Task<Result<RealmPtr>> Economy::open(RealmId id) {
  if (auto problem = problem_of(id)) co_return std::unexpected(std::move(*problem));
  auto realm = opened(id);
  while (!realm) {
    co_await loading_.run([&] { return load(id); });
    realm = opened(id);
  }
  co_return realm;
}

Task<void> Economy::load(RealmId const& id) {
  co_await register_realm(redis_, id);
  RealmKeys const keys(id);
  auto catalogue = co_await read_catalogue(redis_, keys);
  if (!catalogue)
    catalogue = co_await load_catalogue(redis_, keys, shared_.catalogue, CatalogueSource::start);
  auto const [realm, fresh] = shared_.realms.add(id);
  realm->put(std::move(catalogue));
  if (fresh) shared_.on_new_realm(realm);
}

Task<Result<RealmPtr>> Economy::look_up(RealmId const& id) {
  if (auto problem = problem_of(id)) co_return std::unexpected(std::move(*problem));
  if (auto realm = opened(id)) co_return realm;
  auto catalogue = co_await read_catalogue(redis_, RealmKeys(id));
  if (catalogue) co_return co_await open(id);
  auto realm = std::make_shared<Realm>(id);
  realm->put(shared_.catalogue);
  co_return realm;
}

Task<void> Economy::refresh(Realm& realm, CataloguePtr seen) {
  auto const key = realm.keys.catalogue();
  auto const version = co_await redis_.command(redis::Use::read, key, {"GET", key});
  if (!version.is_nil() && version.text() == seen->version) co_return;
  while (realm.catalogue() == seen && !co_await loading_.run([&] { return reload(realm); })) {}
}

Task<void> Economy::reload(Realm& realm) {
  auto catalogue = co_await read_catalogue(redis_, realm.keys);
  if (!catalogue) {  // this Redis has lost it, and perhaps that there was this realm
    co_await register_realm(redis_, realm.id);
    catalogue = co_await load_catalogue(redis_, realm.keys, shared_.catalogue, CatalogueSource::start);
  }
  realm.put(std::move(catalogue));
}

Task<Result<Economy::Answer>> Economy::run(std::string_view name, redis::Script const& script,
                                           Move const& move, Fill fill) {
  LARDER_ASSERT(!move.once || !move.once->fingerprint.empty());
  Stopwatch const watch;
  auto realm = opened(move.realm);
  if (!realm) {
    auto fresh = co_await open(move.realm);
    if (!fresh) co_return std::unexpected(std::move(fresh.error()));
    realm = std::move(*fresh);
  }
  auto const& keys = realm->keys;
  auto const seed = move.seed.value_or(std::uint32_t(random_.next() >> 33U));
  auto const begin_call = [&](std::string version) {
    redis::ScriptCall call;
    call.key(keys.points());
    call.key(keys.items());
    call.key(keys.catalogue());
    call.key(keys.leaderboard());
    call.arg(std::move(version));
    call.arg(move.once ? move.once->fingerprint : "");
    return call;
  };
  for (int attempt = 1;; ++attempt) {
    auto const catalogue = realm->catalogue();
    Context const context{.keys = keys, .catalogue = *catalogue, .now = shared_.clock.now()};
    auto call = begin_call(catalogue->version);
    auto const problem = fill(call, context);
    if (problem) {
      // It may be true of an older catalogue only.
      co_await refresh(*realm, catalogue);
      if (realm->catalogue()->version != catalogue->version && attempt < catalogue_attempts) continue;
      if (!move.once) {
        count(name, problem->code.name, watch.seconds());
        co_return std::unexpected(*problem);
      }
      // The key may remember what the move did under an older one: without a version that is all it can do.
      call = begin_call("");
    }
    if (move.once) call.key(keys.once(*move.once));
    call.arg(move.guild_id.str());
    call.arg(std::int64_t(seed));
    auto const reply =
        co_await redis_.run(move.once ? redis::Use::idempotent_write : redis::Use::write, script, call);
    auto const status = reply.at(0).integer();
    if (status == 2) co_return refuse(errors::idempotency_conflict, "this key was used for another request");
    if (status == 3 && problem) {
      count(name, problem->code.name, watch.seconds());
      co_return std::unexpected(*problem);
    }
    if (status == 3) {
      if (attempt == catalogue_attempts) throw std::runtime_error("the catalogue changes all the time");
      co_await refresh(*realm, catalogue);
      continue;
    }
    Answer answer(reply.at(1).text(), status == 1);
    // A call that had to be repeated may find its own answer.
    if (!answer.replayed || reply.repeated()) {
      count(name, answer.text(0), watch.seconds());
      shared_.wake_projector(*realm);
    }
    if (answer.text(0) == "ok") co_return answer;
    auto refusal = answer.refusal();
    refusal.replayed = answer.replayed;
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
  auto const& id = move.player;
  // The name is the one thing that lies under the id alone.
  if (auto problem = problem_of_player(id)) co_return invalid("id", std::move(*problem));
  auto const answer =
      co_await run("farm", farm_script, move, [&](redis::ScriptCall& call, Context const& with) {
        auto const& [keys, catalogue, now] = with;
        auto const& farm = catalogue.farm;
        auto const& vampire = catalogue.vampire;
        auto const* const guard = catalogue.find_use(UseKind::guard);
        call.key(keys.name(id));
        call.key(keys.inventory(id));
        call.key(keys.vampire(id));
        call.key(keys.effect(id, EffectKind::gain));
        call.key(keys.effect(id, EffectKind::vampire));
        call.key(keys.bomb());
        call.key(keys.drop_rate());
        call.arg(id.str());
        call.arg(name);
        for (auto const number :
             {farm.gain, vampire.level_max, catalogue.bomb.damage_percent, farm.drop_balance_min,
              farm.drop_faces, catalogue.drop_total(), vampire.chance_first, vampire.chance_log10,
              vampire.level_ttl_s, vampire.ttl_max_s, vampire.damage_low_tenths, vampire.damage_low_max,
              vampire.damage_high_tenths, vampire.damage_high_max}) {
          call.arg(number);
        }
        call.arg(guard ? guard->id : "");
        return std::optional<Error>();
      });
  if (!answer) co_return std::unexpected(answer.error());
  Farmed farmed{.gained = answer->number(1), .balance = answer->number(2), .roll = answer->roll(10)};
  if (!answer->text(3).empty()) {
    farmed.drop = Farmed::Drop{.item = std::string(answer->text(3)), .stack = answer->number(4)};
  }
  if (answer->number(5) > 0) {
    farmed.vampire = Farmed::Bite{
        .level = answer->number(5), .damage = answer->number(6), .necklace_used = answer->number(7) == 1};
  }
  if (!answer->text(8).empty()) {
    farmed.bomb = Farmed::Blast{.owner = std::string(answer->text(8)), .damage = answer->number(9)};
  }
  co_return Done<Farmed>{std::move(farmed), answer->replayed};
}

Task<Result<Done<Paid>>> Economy::pay(Move move, UserId to, Amount amount) {
  if (amount.value() < 1) co_return too_small("amount");
  if (to == move.player) co_return refuse(errors::self_target, "points cannot be paid to oneself");
  auto const answer =
      co_await run("pay", pay_script, move, [&](redis::ScriptCall& call, Context const& with) {
        call.arg(move.player.str());
        call.arg(to.str());
        call.arg(amount.value());
        call.arg(with.catalogue.currency);
        return std::optional<Error>();
      });
  if (!answer) co_return std::unexpected(answer.error());
  co_return Done<Paid>{{.balance = answer->number(1), .to_balance = answer->number(2)}, answer->replayed};
}

Task<Result<Done<Rewarded>>> Economy::claim(Move move, std::string reward) {
  auto const answer =
      co_await run("claim", claim_reward_script, move, [&](redis::ScriptCall& call, Context const& with) {
        auto const* const found = with.catalogue.find_reward(reward);
        if (found == nullptr) {
          return std::optional(Error{.code = errors::reward_not_found,
                                     .detail = fmt::format("there is no reward {}", reward)});
        }
        call.key(with.keys.reward(move.player, found->name));
        call.arg(move.player.str());
        call.arg(found->name);
        call.arg(found->points);
        call.arg(found->every_s);
        return std::optional<Error>();
      });
  if (!answer) co_return std::unexpected(answer.error());
  co_return Done<Rewarded>{{.reward = answer->number(1), .balance = answer->number(2)}, answer->replayed};
}

Task<Result<Done<Gambled>>> Economy::gamble(Move move, std::optional<Amount> amount) {
  if (amount && amount->value() < 1) co_return too_small("amount");
  auto const answer =
      co_await run("gamble", gamble_script, move, [&](redis::ScriptCall& call, Context const& with) {
        call.arg(move.player.str());
        call.arg(amount ? fmt::to_string(amount->value()) : "all");
        call.arg(with.catalogue.gamble.win_one_in);
        call.arg(with.catalogue.gamble.win_faces);
        call.arg(with.catalogue.gamble.win_divisor);
        call.arg(with.catalogue.currency);
        return std::optional<Error>();
      });
  if (!answer) co_return std::unexpected(answer.error());
  co_return Done<Gambled>{
      {.change = answer->number(1), .balance = answer->number(2), .roll = answer->roll(3)}, answer->replayed};
}

Task<Result<Done<Discombobulated>>> Economy::discombobulate(Move move, UserId target, Amount offer) {
  if (offer.value() < 1) co_return too_small("amount");
  if (target == move.player) co_return refuse(errors::self_target, "one cannot discombobulate oneself");
  auto const answer = co_await run("discombobulate", discombobulate_script, move,
                                   [&](redis::ScriptCall& call, Context const& with) {
                                     auto const& rules = with.catalogue.discombobulate;
                                     call.key(with.keys.discombobulate_lock(move.player));
                                     call.key(with.keys.effect(move.player, EffectKind::discombobulate));
                                     call.arg(move.player.str());
                                     call.arg(target.str());
                                     call.arg(offer.value());
                                     call.arg(rules.offer_min_percent);
                                     call.arg(rules.damage_low);
                                     call.arg(rules.damage_high);
                                     call.arg(rules.lock_s);
                                     call.arg(with.catalogue.currency);
                                     return std::optional<Error>();
                                   });
  if (!answer) co_return std::unexpected(answer.error());
  co_return Done<Discombobulated>{{.damage = answer->number(1),
                                   .balance = answer->number(2),
                                   .target_balance = answer->number(3),
                                   .locked_s = answer->number(4),
                                   .roll = answer->roll(5)},
                                  answer->replayed};
}

Task<Result<Done<RouletteId>>> Economy::start_roulette(Move move) {
  auto const id = RouletteId::from(random_hex(roulette_id_bytes)).value();
  auto const answer = co_await run("start_roulette", start_roulette_script, move,
                                   [&](redis::ScriptCall& call, Context const& with) {
                                     call.key(with.keys.roulette(id));
                                     call.arg(id.str());
                                     call.arg(with.catalogue.roulette.chambers);
                                     call.arg(with.catalogue.roulette.ttl_s);
                                     return std::optional<Error>();
                                   });
  if (!answer) co_return std::unexpected(answer.error());
  co_return Done<RouletteId>{RouletteId::from(answer->text(1)).value(), answer->replayed};
}

Task<Result<Done<Shot>>> Economy::shoot(Move move, RouletteId roulette) {
  auto const answer =
      co_await run("shoot", shoot_roulette_script, move, [&](redis::ScriptCall& call, Context const& with) {
        call.key(with.keys.roulette(roulette));
        call.arg(move.player.str());
        call.arg(roulette.str());
        return std::optional<Error>();
      });
  if (!answer) co_return std::unexpected(answer.error());
  Shot shot{.hit = answer->number(1) == 1, .lost = answer->number(2), .balance = answer->number(3)};
  if (shot.hit) shot.roll = answer->roll(4);
  co_return Done<Shot>{std::move(shot), answer->replayed};
}

Task<void> Economy::arm_bomb(RealmPtr realm, UserId player) {
  auto const& keys = realm->keys;
  redis::ScriptCall call;
  call.key(keys.bombs());
  call.key(keys.bombs_schedule());
  call.key(keys.bomb());
  call.key(keys.bomb_due());
  call.arg(player.str());
  call.arg(shared_.clock.now());
  co_await redis_.run(redis::Use::idempotent_write, arm_bomb_script, call);
}

}  // namespace larder::economy
