// One client of the ledger in the workload. It asks for everything, repeats and contradicts itself, and
// never gives up on an order.
#pragma once

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/time.hpp"
#include "systems/ledger/ledger.hpp"

#include <atomic>
#include <set>
#include <variant>

namespace larder::ledger {

// One io thread with its own Redis client and ledger.
struct Lane {
  Lane(asio::io_context& context, redis::Options const& options, Shared& shared, Metrics& metrics)
      : io(context), redis(io, options, metrics), ledger(redis, shared) {}
  asio::io_context& io;
  redis::Redis redis;
  Ledger ledger;
};

using OrderKey = std::pair<std::string, std::string>;  // uid, order
using Request = std::variant<Entry, Transfer, Exchange, Hold>;
OrderKey key_of(Request const& request);

// The words of an outcome that no longer change when it is final.
std::string describe(Outcome const& outcome);

// What the clients of one workload share.
struct World {
  TestClock& clock;
  std::vector<TypeId> types;  // gold, silver, copper; gold is worth 3/7 silver, and two copper both ways
  int closed_users = 6;       // pass the same gold around, and change it to copper and back
  prometheus::Counter& retries;
};

class Client {
 public:
  Client(int number, Seed seed, Lane& lane, World const& world);

  Task<void> work(std::uint64_t steps, std::atomic<std::uint64_t>& progress);

  struct Told {
    Request request;
    Outcome outcome;
  };
  std::vector<Told> told;                         // all answers, including replays
  std::vector<Request> conflicts;                 // refused as order_conflict because of other clients
  std::set<OrderKey> refused;                     // of batches, without a trace
  std::map<OrderKey, std::int64_t> closed_holds;  // captured points
  int store_errors = 0;

 private:
  OrderId own_order() { return OrderId::from(fmt::format("c{}-{}", number_, count_++)).value(); }
  UserId random_user() { return UserId::from(fmt::format("user{}", random_.below(8))).value(); }
  UserId closed_user();
  Amount random_amount(std::uint64_t most) {
    return Amount::from(1 + std::int64_t(random_.below(most))).value();
  }
  std::optional<TimeMs> soon(std::uint64_t most_ms);
  Account random_account();
  Entry random_entry(OrderId order);
  Request random_request(OrderId order);
  Request closed_request();

  template <class F>
  auto insist(F call) -> decltype(call());
  double trouble() const { return store_errors + world_.retries.Value(); }
  Task<Result<Receipt>> send(Request request);
  Task<Receipt> must(Request request);
  void note(Request const& request, Receipt const& receipt);

  Task<void> fresh(Request request);
  Task<void> replay();
  Task<void> contradict();
  Task<void> shared_order(std::uint64_t step);
  Task<void> twice_at_once();
  Task<void> close_hold();
  Task<void> batch();
  Task<void> look();
  Task<OrderId> issued_order();

  int number_;
  Random random_;
  Lane& lane_;
  World const& world_;
  int count_ = 0;
  std::vector<Hold> holds_;  // its own holds, which may be open
};

}  // namespace larder::ledger
