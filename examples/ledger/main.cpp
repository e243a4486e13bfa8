// A quest gives gold that expires, the shop puts some of it aside, and the rest goes to a friend.
//   ledger_example [DIRECTORY]
#include <cstdio>
#include <exception>
#include <larder/ledger.hpp>

using namespace larder;

namespace {

// Runs on the ledger's thread. Coroutines that run concurrently share round trips to Redis.
Task<void> play(ledger::Ledger& ledger, ledger::TypeId gold) {
  auto const season = Domain::from("season-1").value();
  auto const alice = UserId::from("alice").value();
  auto const bob = UserId::from("bob").value();
  auto const order = [](std::string_view id) { return OrderId::from(id).value(); };
  auto const points = [](std::int64_t n) { return Amount::from(n).value(); };
  ledger::Account const purse{.type = gold, .domain = season, .uid = alice};

  ledger::Entry const reward{.order_id = order("quest-17"),
                             .op = ledger::Op::add,
                             .account = purse,
                             .amount = points(100),
                             .remark = "found the bakery",
                             .expires_at = parse_rfc3339("2099-12-31T00:00:00Z")};
  auto receipt = co_await ledger.post(reward);
  std::printf("reward: balance %lld\n", static_cast<long long>(receipt.value().outcome.balance.value()));
  receipt = co_await ledger.post(reward);  // a retry changes nothing
  std::printf("again: replayed %d\n", receipt.value().replayed);

  (co_await ledger.hold({.order_id = order("shop-1"), .account = purse, .amount = points(40)})).value();
  (co_await ledger.capture(alice, order("shop-1"), points(25))).value();
  (co_await ledger.transfer({.order_id = order("gift-1"),
                             .type = gold,
                             .domain = season,
                             .from = alice,
                             .to = bob,
                             .amount = points(30)}))
      .value();

  auto const refused = co_await ledger.post(
      {.order_id = order("shop-2"), .op = ledger::Op::deduct, .account = purse, .amount = points(1000)});
  std::printf("too dear: %s\n", std::string(ledger::name_of(refused.value().outcome.status)).c_str());
  auto const view = co_await ledger.account(purse);
  std::printf("alice has %lld\n", static_cast<long long>(view.value().balance.value()));
  for (auto const& flow : co_await ledger.flows({.uid = alice})) {
    std::printf("  %s %+lld\n", std::string(ledger::name_of(flow.outcome.op)).c_str(),
                static_cast<long long>(flow.outcome.change()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    ledger::EmbeddedLedger points({.data = argc > 1 ? argv[1] : "data"});
    auto gold = points.run(points.ledger().create_type({.name = "gold"}));
    // In a second run, the type already exists.
    auto const id = gold ? gold->id : gold.error().more.at("id").to_number<ledger::TypeId>();
    points.run(play(points.ledger(), id));
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
