// The ledger: points with idempotent orders, balances in Redis, every change journaled in SQL.
#pragma once

#include "base/random.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "stores/redis/redis.hpp"
#include "systems/ledger/ledger_journal.hpp"
#include "systems/ledger/ledger_keys.hpp"
#include "systems/ledger/ledger_types.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace larder::ledger {

// All score types, in memory. Thread-safe.
class TypeCache {
 public:
  std::shared_ptr<ScoreType const> find(TypeId id) const;
  Task<void> refresh(Journal& journal);
  void put(ScoreType type);

 private:
  using Types = std::map<TypeId, std::shared_ptr<ScoreType const>>;
  mutable std::mutex mutex_;  // guards the pointer, not the map: maps are never changed
  std::shared_ptr<Types const> types_ = std::make_shared<Types const>();
};

// What the ledgers of all io threads share.
struct Shared {
  Keys keys;
  Journal& journal;
  Clock const& clock;
  std::int64_t order_shards = 16;
  std::function<void(std::size_t outbox)> wake_projector;  // thread-safe
  TypeCache types = {};
};

// Thread-compatible: one per io thread. Throws StoreError when a store is away; a write whose outcome is
// unknown may be repeated with the same order.
class Ledger {
 public:
  Ledger(redis::Redis& redis, Shared& shared);

  Task<Result<ScoreType>> create_type(ScoreType type);
  Task<std::vector<ScoreType>> types();
  Task<Result<ScoreType>> type(TypeId id);

  // A number nobody was given before.
  Task<Result<OrderId>> issue_order(TypeId type);

  // Decides the order, once and for all. A refusal for lack of points, or beyond the largest balance, is an
  // outcome too: it is remembered and journaled. Refused without a trace: type_not_found, bad amount,
  // type_not_active, order_conflict.
  Task<Result<Receipt>> post(Entry entry);

  Task<Result<Amount>> balance(Account account);
  Task<Result<Outcome>> order(UserId uid, OrderId order_id);
  // Sees at least every entry that was acknowledged before the call; StoreError if the projector is far
  // behind.
  Task<std::vector<Flow>> flows(FlowQuery query);

 private:
  Task<Result<std::shared_ptr<ScoreType const>>> look_up_type(TypeId id);
  Task<redis::Reply> run_post(std::span<std::string_view const> keys, std::span<std::string_view const> args,
                              OrderId const& order_id);

  redis::Redis& redis_;
  Shared& shared_;
  Random random_{random_seed()};
  bool looking_up_ = false;
  TimeMs looked_up_at_;  // of the last time it worked
};

}  // namespace larder::ledger
