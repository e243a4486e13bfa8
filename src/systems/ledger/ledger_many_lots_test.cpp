// Accounts with very many lots. No script may block Redis for long.
#include "base/when_all.hpp"
#include "support/monitor_line.hpp"
#include "systems/ledger/ledger_test.hpp"

namespace larder::ledger {
namespace {

// Looks on by MONITOR, and counts what each call of a script does.
class ScriptMeter {
 public:
  explicit ScriptMeter(test::RedisServer const& server) : monitor_(server.socket(), {}) {
    monitor_.ask({"MONITOR"});
  }

  // The largest numbers of one call.
  struct Most {
    int commands = 0;
    int flows = 0;
  };
  Most finish() {
    Most most;
    Most call;
    monitor_.send({"RESET"});
    while (auto const answer = monitor_.receive()) {
      std::string_view const text(answer->str, answer->len);
      if (text == "RESET") break;
      test::MonitorLine line(text);
      if (!line.from_script()) call = {};
      ++call.commands;
      if (line.next_word() == "XADD") ++call.flows;
      most = {.commands = std::max(most.commands, call.commands), .flows = std::max(most.flows, call.flows)};
    }
    return most;
  }

 private:
  test::RedisSocket monitor_;
};

class ManyLotsTest : public LedgerInSlotsTest {
 protected:
  Entry lot(std::string_view id, TimeMs expires_at, std::string_view uid = "alice") {
    auto made = entry(id, Op::add, account(gold, uid), 1);
    made.expires_at = expires_at;
    return made;
  }
  // Adds lots of one point each, which expire one millisecond after the other.
  void add_lots(int count, TimeMs first, std::string_view uid = "alice") {
    std::vector<Entry> lots;
    for (int i = 0; i < count; ++i) lots.push_back(lot(fmt::format("{}-{}", first.value, i), first + i, uid));
    for (auto const& made : test::run(io, ledger.post_each(std::move(lots)))) ASSERT_TRUE(made);
  }
  std::int64_t stored_lots(std::string_view uid = "alice") {
    return std::stoll(server.cli({"ZCARD", shared.keys.account(account(gold, uid)).expiring}));
  }
  Transfer transfer(std::string_view id, std::string_view from, std::string_view to, std::int64_t amount) {
    return {.order_id = order(id),
            .type = gold,
            .domain = account(gold).domain,
            .from = user(from),
            .to = user(to),
            .amount = Amount::from(amount).value(),
            .remark = {}};
  }
  Hold hold(std::string_view id, std::int64_t amount, std::optional<TimeMs> expires_at = {}) {
    return {.order_id = order(id),
            .account = account(gold),
            .amount = Amount::from(amount).value(),
            .expires_at = expires_at,
            .remark = {}};
  }

  static constexpr int portion = 100;  // of account.lua
  TypeId gold = make_type("gold");
};

TEST_P(ManyLotsTest, are_settled_in_portions) {
  add_lots(2 * portion + 30, clock.now() + 1000);
  post(entry("more", Op::add, account(gold), 5));
  clock.advance(10'000);
  ScriptMeter meter(server);
  EXPECT_EQ(balance(account(gold)), 5);
  auto const most = meter.finish();
  EXPECT_EQ(most.flows, portion);
  EXPECT_LT(most.commands, 2 * portion);
  EXPECT_EQ(stored_lots(), 0);
  EXPECT_EQ(history(account(gold)).size(), 2u * (2 * portion + 30) + 1);
}

TEST_P(ManyLotsTest, that_are_due_are_settled_before_anything_else_happens) {
  struct Case {
    std::string_view name;
    std::function<std::string()> move;
    std::string told;
  };
  auto const held = [&](Hold what) { return brief(test::run(io, ledger.hold(std::move(what)))); };
  auto const sent = [&](Transfer what) { return brief(test::run(io, ledger.transfer(std::move(what)))); };
  post(entry("base", Op::add, account(gold), 20));
  EXPECT_EQ(held(hold("open", 1)), "ok 20>19");
  std::vector<Case> const cases = {
      {"add", [&] { return post(entry("a", Op::add, account(gold), 1)); }, "ok 19>20"},
      {"deduct", [&] { return post(entry("d", Op::deduct, account(gold), 1)); }, "ok 20>19"},
      {"too large", [&] { return post(entry("l", Op::deduct, account(gold), 20)); },
       "insufficient_balance 19>19"},
      {"hold", [&] { return held(hold("h", 1)); }, "ok 19>18"},
      {"release", [&] { return brief(test::run(io, ledger.release(user("alice"), order("open")))); },
       "ok 20>19"},
      {"send", [&] { return sent(transfer("s", "alice", "bob", 1)); }, "ok 19>18"},
      {"receive", [&] { return sent(transfer("r", "bob", "alice", 1)); }, "ok 1>0"},
      {"batch",
       [&] {
         auto const made = test::run(io, ledger.post_all({entry("b1", Op::add, account(gold, "bob"), 1),
                                                          entry("b2", Op::add, account(gold), 1)}));
         return made ? "ok" : std::string(made.error().more.at("reason").as_string());
       },
       GetParam() == Slots::one ? "ok" : ""},
  };
  for (auto const& [name, move, told] : cases) {
    if (told.empty()) continue;  // the two users are not in one slot
    add_lots(2 * portion + 10, clock.now() + 1000);
    clock.advance(10'000);
    ScriptMeter meter(server);
    EXPECT_EQ(move(), told) << name;
    EXPECT_LE(meter.finish().flows, portion + 2) << name;
    EXPECT_EQ(stored_lots(), 0) << name;
  }
}

TEST_P(ManyLotsTest, that_wait_mature_in_portions) {
  auto const start = clock.now() + 1000;
  std::vector<Entry> lots;
  for (int i = 0; i < 2 * portion + 10; ++i) {
    lots.push_back(lot(fmt::format("w{}", i), start + day_ms + i));
    lots.back().effective_at = start;
  }
  for (auto const& made : test::run(io, ledger.post_each(std::move(lots)))) ASSERT_TRUE(made);
  clock.advance(1000);
  ScriptMeter meter(server);
  EXPECT_EQ(balance(account(gold)), 2 * portion + 10);
  EXPECT_LE(meter.finish().flows, portion);
}

// The release is one step. Another script would not know that the lots came back only now.
TEST_P(ManyLotsTest, that_come_back_too_late_vanish_at_the_moment_of_the_release) {
  int const count = portion + 20;
  add_lots(count, clock.now() + 1000);
  auto const released_at = clock.now() + 50'000;
  EXPECT_EQ(brief(test::run(io, ledger.hold(hold("h", count, released_at)))), fmt::format("ok {}>0", count));
  clock.advance(60'000);
  EXPECT_EQ(balance(account(gold)), 0);
  start_projector();
  auto const last = flows({.uid = user("alice"), .limit = 2 * portion});
  EXPECT_EQ(std::ranges::count(last, Op::expire, [](Flow const& flow) { return flow.outcome.op; }), count);
  for (auto const& flow : last) {
    if (flow.outcome.op == Op::expire) EXPECT_EQ(flow.outcome.at, released_at);
  }
}

TEST_P(ManyLotsTest, beyond_the_limit_new_lots_vanish_at_the_end_of_their_day) {
  auto const midnight = TimeMs{(clock.now().value / day_ms + 2) * day_ms};
  auto const first = midnight + 1000;
  add_lots(int(limits::lots_max), first);
  EXPECT_EQ(stored_lots(), limits::lots_max);
  EXPECT_EQ(post(lot("again", first)), fmt::format("ok {}>{}", limits::lots_max, limits::lots_max + 1));
  auto const far = first + 100'000'000;
  for (int i = 0; i < 20; ++i) post(lot(fmt::format("far{}", i), far + i));
  post(lot("midnight", midnight + 5 * day_ms));
  EXPECT_EQ(post(lot("far0", far)).substr(0, 2), "ok") << "a retry has the same terms";
  EXPECT_EQ(stored_lots(), limits::lots_max + 2);
  auto const lots = view(account(gold)).lots;
  EXPECT_EQ(lots.at(0).amount.value(), 2) << "an expiry that exists is kept";
  EXPECT_EQ(lots.at(limits::lots_max).expires_at, midnight + 2 * day_ms);
  EXPECT_EQ(lots.at(limits::lots_max).amount.value(), 20);
  EXPECT_EQ(lots.at(limits::lots_max + 1).expires_at, midnight + 5 * day_ms);

  ScriptMeter meter(server);
  EXPECT_EQ(post(entry("all", Op::deduct, account(gold), limits::lots_max)).substr(0, 2), "ok");
  EXPECT_LT(meter.finish().commands, 40) << "lots are read and written together";
  EXPECT_EQ(stored_lots(), 3);
  EXPECT_EQ(post(lot("room", far)).substr(0, 2), "ok");
  EXPECT_EQ(stored_lots(), 4);
  clock.advance(midnight + 2 * day_ms - clock.now());
  EXPECT_EQ(balance(account(gold)), 1);
}

TEST_P(ManyLotsTest, on_very_many_days_vanish_at_the_end_of_their_365_days) {
  std::vector<Entry> lots;
  for (int i = 0; i < 2 * limits::lots_max + 500; ++i) {
    lots.push_back(lot(fmt::format("day{}", i), clock.now() + (i + 1) * day_ms + 1));
  }
  for (auto const& made : test::run(io, ledger.post_each(std::move(lots)))) ASSERT_TRUE(made);
  EXPECT_EQ(balance(account(gold)), 2 * limits::lots_max + 500);
  EXPECT_LE(stored_lots(), 2 * limits::lots_max + 3);
  auto const last = view(account(gold)).lots.back().expires_at.value();
  EXPECT_EQ(last.value % (365 * day_ms), 0);
  EXPECT_GE(last, clock.now() + (2 * limits::lots_max + 500) * day_ms + 1);
}

LARDER_IN_ONE_AND_MANY_SLOTS(ManyLotsTest);

}  // namespace
}  // namespace larder::ledger
