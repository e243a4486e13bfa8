#include "systems/ledger/ledger_background.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/when_all.hpp"
#include "systems/ledger/ledger_outbox.hpp"
#include "systems/ledger/lost_redis.hpp"
#include "systems/ledger/order_record.hpp"
#include "systems/ledger/type_ends.hpp"

namespace larder::ledger {

namespace {

constexpr auto count_every = std::chrono::seconds(60);
constexpr auto count_pause = std::chrono::milliseconds(20);  // between two portions
constexpr int measure_every = 15;  // refreshes of the types between two measurements

template <class Member>
std::vector<std::string> keys_of(Keys const& keys, Member member) {
  std::vector<std::string> found;
  for (auto const& shard : keys.shards()) found.push_back(shard.*member);
  return found;
}

// Returns the number, or the sum of the numbers, that Redis answers; 0 if it does not answer.
Task<std::int64_t> ask(redis::Redis& redis, std::string_view command, std::string const& key) {
  try {
    auto const reply = co_await redis.command(redis::Use::read, key, {command, key});
    auto const numbers = reply.view();
    if (!numbers.is_array()) co_return numbers.integer();
    std::int64_t total = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) total += numbers.at(i).integer();
    co_return total;
  } catch (std::exception const&) {
    co_return 0;
  }
}

template <class Member>
Task<double> sum(redis::Redis& redis, Keys const& keys, std::string_view command, Member member) {
  std::vector<Task<std::int64_t>> asked;
  for (auto const& shard : keys.shards()) asked.push_back(ask(redis, command, shard.*member));
  double total = 0;
  for (auto const number : co_await when_all(std::move(asked))) total += double(number);
  co_return total;
}

}  // namespace

Background::Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
                       BackgroundOptions const& options, Metrics& metrics)
    : redis_(redis),
      journal_(sql, options.flow_tables),
      shared_{.keys = Keys(options.key_format, options.cluster),
              .journal = journal_,
              .clock = clock,
              .metrics = metrics,
              .order_shards = options.order_shards,
              .clock_margin_ms = options.clock_margin_ms,
              .wake_projector = [this](std::size_t shard) { projector_.wake(shard); },
              .wake_schedule = [this](std::size_t shard, TimeMs due) { settler_.wake(shard, due); }},
      ledger_(redis, shared_),
      projector_(
          io, redis, sql, clock,
          {.name = "ledger",
           .streams = keys_of(shared_.keys, &Keys::OfShard::outbox),
           .to_feed = &to_feed,
           .applied_late = &forget_totals},
          [this](sql::Session& session, std::string const&, std::span<events::Event const> events) {
            journal_.write_flows(session, events);
            count(events);
          },
          metrics),
      settler_(
          io, redis, clock,
          {.name = "ledger_accounts", .sets = keys_of(shared_.keys, &Keys::OfShard::schedule)},
          [this](std::size_t, std::string member, TimeMs) { return ledger_.settle(std::move(member)); },
          metrics),
      relay_(
          io, redis, clock,
          {.name = "ledger_transfers", .sets = keys_of(shared_.keys, &Keys::OfShard::relay)},
          [this](std::size_t, std::string member, TimeMs) { return ledger_.relay(std::move(member)); },
          metrics),
      type_worker_(
          io, redis, clock, {.name = "ledger_types", .sets = {std::string(Keys::types_due)}},
          [this](std::size_t, std::string member, TimeMs) { return ledger_.work_on_type(std::move(member)); },
          metrics),
      tasks_(io),
      metrics_(metrics) {}

void Background::migrate_now() { journal_.migrate_now(); }

Task<void> Background::load_types() { return shared_.types.refresh(journal_); }

Task<void> Background::start() {
  co_await refuse_lost_redis();
  co_await journal_.keep_key_layout(shared_.keys.layout());
  projector_.start();
  settler_.start();
  relay_.start();
  type_worker_.start();
  tasks_.spawn(watch());
  tasks_.spawn(count_totals());
}

Task<void> Background::stop() {
  tasks_.ask_to_stop();
  co_await type_worker_.stop();
  co_await relay_.stop();
  co_await settler_.stop();
  co_await projector_.stop();
  co_await tasks_.stop();
}

// A missing balance is not zero, so refuse. If Redis does not answer, its data may be intact.
Task<void> Background::refuse_lost_redis() {
  bool lost = false;
  try {
    lost = co_await is_lost(redis_, journal_, shared_.keys);
    if (!lost) co_await projector_.open();
  } catch (StoreError const& error) {
    log::warn("whether Redis has what the journal has could not be checked", {{"why", error.what()}});
  }
  if (lost) {
    throw LostRedisError(
        "the journal has flows, but this Redis has nothing of the ledger; if it is the right one and its "
        "data is lost, run `larder rebuild` first");
  }
}

// Counts flows as they are journaled. A flow that is written again after a crash is counted again.
void Background::count(std::span<events::Event const> events) {
  for (auto const& event : events) {
    auto const op = op_name_of(event.field("entry"));
    auto found = flows_.find(op);
    if (found == flows_.end()) {
      auto& counter = metrics_.counter("larder_ledger_flows_total", "Flows that were journaled",
                                       {{"op", std::string(op)}});
      found = flows_.emplace(op, &counter).first;
    }
    found->second->Increment();
  }
}

// Reads types that other servers created or changed, and figures that only Redis has.
Task<void> Background::watch() {
  for (int round = 0; !tasks_.stopping(); ++round) {
    try {
      co_await shared_.types.refresh(journal_);
      co_await find_type_work();
      if (round % measure_every == 0) co_await measure();
    } catch (std::exception const& error) {
      log::warn("score types were not refreshed", {{"why", error.what()}});
    }
    co_await tasks_.sleep(types_refresh);
  }
}

// SQL knows which types have work to do, so the due set may lose a type.
Task<void> Background::find_type_work() {
  auto const now = shared_.clock.now();
  for (auto const& type : shared_.types.all()) {
    if (has_work(*type, now)) co_await schedule_type_work(redis_, type->id, now);
  }
}

// Counts ahead, so that a request for totals finds little left to count.
Task<void> Background::count_totals() {
  while (!tasks_.stopping()) {
    try {
      while (!tasks_.stopping() && !co_await ledger_.count_totals()) co_await tasks_.sleep(count_pause);
    } catch (std::exception const& error) {
      log::warn("the points of the types were not counted", {{"why", error.what()}});
    }
    co_await tasks_.sleep(count_every);
  }
}

Task<void> Background::measure() {
  auto const& keys = shared_.keys;
  metrics_.gauge("larder_ledger_holds_open", "Holds that are neither captured nor released")
      .Set(co_await sum(redis_, keys, "HVALS", &Keys::OfShard::open_holds));
  metrics_.gauge("larder_ledger_transfers_pending", "Transfers that have left and not yet arrived")
      .Set(co_await sum(redis_, keys, "ZCARD", &Keys::OfShard::relay));
}

}  // namespace larder::ledger
