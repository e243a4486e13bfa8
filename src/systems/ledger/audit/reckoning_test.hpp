// A ledger for tests that verify it or rebuild it from its journal.
#pragma once

#include "base/random.hpp"
#include "base/when_all.hpp"
#include "systems/ledger/audit/ledger_verify.hpp"
#include "systems/ledger/audit/user_fold.hpp"
#include "systems/ledger/ledger_test.hpp"

#include <regex>

namespace larder::ledger {

class ReckoningTest : public LedgerInSlotsTest {
 protected:
  ReckoningTest() {
    EXPECT_TRUE(
        test::run(io, ledger.set_rate({.from = gold, .to = silver, .numerator = 3, .denominator = 2})));
  }
  Keys const& keys() const { return shared.keys; }
  std::string balance_key(std::string_view uid = "alice") const { return keys().balance(account(gold, uid)); }
  std::string order_key(std::string_view id) const { return keys().order(user("alice"), order(id)); }

  void journal_all() {
    if (!projector) start_projector();
    std::vector<Task<bool>> waits;
    for (std::size_t shard = 0; shard < keys().shards().size(); ++shard) {
      projector->wake(shard);  // with a thousand outboxes, the next look would take too long
      waits.push_back(events::caught_up(redis, keys().shards()[shard].outbox, test::patience));
    }
    for (bool const caught_up : test::run(io, when_all(std::move(waits)))) ASSERT_TRUE(caught_up);
  }
  // What verify finds, sorted, with "#" for flow ids and "@" for times. Without a projector, verify does
  // not wait for the journal.
  Lines differences() {
    Lines lines;
    test::run(io, verify(redis, journal, keys(), clock,
                         {.difference = [&](std::string const& line) { lines.push_back(line); },
                          .journal_patience = projector ? 2000ms : 0ms}));
    for (auto& line : lines) {
      line = std::regex_replace(line, std::regex(R"(\d{13}-\d+)"), "#");
      line = std::regex_replace(line, std::regex(R"(\d{13})"), "@");
    }
    std::ranges::sort(lines);
    return lines;
  }
  void execute(std::string const& statement, std::string_view uid = "alice") {
    auto const table = fmt::format("score_flow_{}", partition_of(user(uid)) % 2);
    auto const changed = sql.write_now([&](sql::Session& session) {
      return session.execute(std::regex_replace(statement, std::regex("FLOWS"), table));
    });
    ASSERT_EQ(changed, 1) << statement;
  }

  // One client that uses every operation at random, for this many steps, while the clock moves on.
  Task<bool> work(int number, int steps) {
    Random random{{seed + std::uint64_t(number)}};
    for (int step = 0; step < steps; ++step) {
      co_await work_once(random, fmt::format("w{}-{}", number, step));
      if (random.chance(1, 4)) clock.advance(1);
    }
    co_return true;
  }
  Task<void> work_once(Random& random, std::string id) {
    auto const some_user = [&] { return fmt::format("u{}", random.below(6)); };
    auto const amount = Amount::from(1 + std::int64_t(random.below(9))).value();
    auto const of =
        account(random.chance(1, 4) ? silver : gold, some_user(), random.chance(1, 4) ? "eu:shop" : "main");
    switch (random.below(10)) {
      case 0: {
        auto lot = entry(id, Op::add, of, amount.value(), "a lot");
        lot.expires_at = clock.now() + std::int64_t(1 + random.below(50));
        if (random.chance(1, 2)) lot.effective_at = clock.now() + std::int64_t(random.below(60));
        if (lot.effective_at && *lot.effective_at >= *lot.expires_at) lot.expires_at = std::nullopt;
        co_await ledger.post(lot);
        break;
      }
      case 1:
        co_await ledger.hold(
            {.order_id = order(id),
             .account = of,
             .amount = amount,
             .expires_at = random.chance(1, 2) ? std::optional(clock.now() + 30) : std::nullopt,
             .remark = "a hold"});
        if (random.chance(1, 2)) co_await ledger.capture(of.uid, order(id), Amount::from(1).value());
        if (random.chance(1, 4)) co_await ledger.release(of.uid, order(id));
        break;
      case 2: {
        auto const to = user(some_user());
        co_await ledger.transfer({.order_id = order(id),
                                  .type = of.type,
                                  .domain = of.domain,
                                  .from = of.uid,
                                  .to = to,
                                  .amount = amount,
                                  .remark = "a gift of mine"});
        break;
      }
      case 3: co_await ledger.account(of); break;
      case 4: co_await ledger.post(entry(id, Op::reset, of, std::int64_t(random.below(3)) * 25)); break;
      case 5:
      case 6: co_await ledger.post(entry(id, Op::deduct, of, amount.value())); break;
      case 7:
        co_await ledger.exchange({.order_id = order(id),
                                  .uid = of.uid,
                                  .domain = of.domain,
                                  .from_type = gold,
                                  .to_type = silver,
                                  .amount = amount});
        break;
      case 8: {
        std::vector<Entry> batch;
        batch.push_back(entry(id + "a", Op::add, of, amount.value()));
        batch.push_back(entry(id + "b", Op::deduct, of, amount.value()));
        co_await ledger.post_all(std::move(batch));
        break;
      }
      default:
        co_await ledger.post(
            entry((co_await ledger.issue_order(of.type))->str(), Op::add, of, amount.value()));
    }
  }

  TypeId gold = make_type("gold");
  TypeId silver = make_type("silver");
  std::uint64_t seed = random_seed().value;
};

}  // namespace larder::ledger
