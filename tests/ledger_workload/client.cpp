#include "client.hpp"

#include "base/when_all.hpp"

#include <gtest/gtest.h>

namespace larder::ledger {

namespace {

using namespace std::chrono_literals;

Amount& amount_of(Request& request) {
  return std::visit([](auto& r) -> Amount& { return r.amount; }, request);
}

bool is_pending(Outcome const& outcome) { return outcome.word("state") == "pending"; }

// The model of a single step: what a request does to the balance that it finds.
void check_step(Request const& request, Outcome const& outcome) {
  auto const amount = outcome.amount.value();
  auto const old = outcome.old_balance.value();
  auto const now = outcome.balance.value();
  auto const* entry = std::get_if<Entry>(&request);
  bool const waits = entry && entry->effective_at && *entry->effective_at > outcome.at;
  bool const takes = !entry || entry->op == Op::deduct;
  switch (outcome.status) {
    case Status::ok:
      if (takes) {
        EXPECT_EQ(now, old - amount) << describe(outcome);
        EXPECT_GE(now, 0);
      } else {
        EXPECT_EQ(now, entry->op == Op::reset ? amount : waits ? old : old + amount) << describe(outcome);
      }
      break;
    case Status::insufficient_balance:
      EXPECT_TRUE(takes);
      EXPECT_GT(amount, old) << describe(outcome);
      EXPECT_EQ(now, old);
      break;
    case Status::balance_limit: EXPECT_EQ(now, old); break;
    case Status::type_not_active:
    case Status::transfer_withdrawn: ADD_FAILURE() << describe(outcome);
  }
}

}  // namespace

OrderKey key_of(Request const& request) {
  return std::visit(
      [](auto const& r) -> OrderKey {
        using T = std::decay_t<decltype(r)>;
        if constexpr (std::is_same_v<T, Transfer>) {
          return {r.from.str(), r.order_id.str()};
        } else if constexpr (std::is_same_v<T, Exchange>) {
          return {r.uid.str(), r.order_id.str()};
        } else {
          return {r.account.uid.str(), r.order_id.str()};
        }
      },
      request);
}

std::string describe(Outcome const& o) {
  return fmt::format("{} {} {} {} {} {}>{} at {}", name_of(o.status), name_of(o.op), o.type, o.domain.str(),
                     o.amount.value(), o.old_balance.value(), o.balance.value(), o.at.value);
}

Client::Client(int number, Seed seed, Lane& lane, World const& world)
    : number_(number), random_(seed), lane_(lane), world_(world) {}

Task<void> Client::work(std::uint64_t steps, std::atomic<std::uint64_t>& progress) {
  for (std::uint64_t step = 0; step < steps; ++step) {
    switch (random_.below(16)) {
      case 0: co_await replay(); break;
      case 1: co_await contradict(); break;
      case 2: co_await shared_order(step); break;
      case 3: co_await twice_at_once(); break;
      case 4:
      case 5: co_await fresh(random_request(co_await issued_order())); break;
      case 6:
      case 7: co_await fresh(closed_request()); break;
      case 8:
      case 9: co_await close_hold(); break;
      case 10: co_await batch(); break;
      case 11: co_await look(); break;
      default: co_await fresh(random_request(own_order())); break;
    }
    ++progress;
  }
}

UserId Client::closed_user() {
  return UserId::from(fmt::format("closed{}", random_.below(std::uint64_t(world_.closed_users)))).value();
}

std::optional<TimeMs> Client::soon(std::uint64_t most_ms) {
  return world_.clock.now() + std::int64_t(1 + random_.below(most_ms));
}

Account Client::random_account() {
  return {.type = world_.types[random_.below(world_.types.size())],
          .domain = Domain::from(random_.chance(1, 2) ? "main" : "eu:shop").value(),
          .uid = random_user()};
}

Entry Client::random_entry(OrderId order) {
  constexpr std::array ops = {Op::add, Op::add, Op::add, Op::deduct, Op::deduct, Op::deduct, Op::reset};
  Entry entry{.order_id = std::move(order),
              .op = ops[random_.below(ops.size())],
              .account = random_account(),
              .amount = random_amount(30),
              .remark = fmt::format("client {}", number_)};
  if (entry.op == Op::add && random_.chance(1, 40)) entry.amount = Amount::from(limits::amount_max).value();
  if (entry.op == Op::reset && random_.chance(1, 2)) entry.amount = Amount{};
  if (entry.op == Op::add && random_.chance(1, 2)) {
    if (random_.chance(1, 2)) entry.effective_at = soon(5'000);
    if (random_.chance(2, 3)) entry.expires_at = *soon(20'000) + 5'000;
  }
  return entry;
}

Request Client::random_request(OrderId order) {
  auto const account = random_account();
  switch (random_.below(8)) {
    case 0:
    case 1: {
      Transfer transfer{.order_id = std::move(order),
                        .type = account.type,
                        .domain = account.domain,
                        .from = account.uid,
                        .to = random_user(),
                        .amount = random_amount(20),
                        .remark = "from hand to hand"};
      while (transfer.to == transfer.from) transfer.to = random_user();
      return transfer;
    }
    case 2:
      return Exchange{.order_id = std::move(order),
                      .uid = account.uid,
                      .domain = account.domain,
                      .from_type = world_.types[0],
                      .to_type = world_.types[1],
                      .amount = Amount::from(3 + std::int64_t(random_.below(20))).value()};
    case 3:
    case 4:
      return Hold{.order_id = std::move(order),
                  .account = account,
                  .amount = random_amount(15),
                  .expires_at = random_.chance(1, 2) ? soon(10'000) : std::nullopt,
                  .remark = ""};
    default: return random_entry(std::move(order));
  }
}

// A request that neither creates nor destroys points.
Request Client::closed_request() {
  auto const domain = Domain::from("main").value();
  if (random_.chance(1, 4)) {
    return Hold{.order_id = own_order(),
                .account = {.type = world_.types[0], .domain = domain, .uid = closed_user()},
                .amount = random_amount(300),
                .expires_at = soon(10'000),
                .remark = ""};
  }
  auto const gold = world_.types[0];
  auto const copper = world_.types[2];
  if (random_.chance(1, 4)) {
    bool const into_copper = random_.chance(1, 2);
    return Exchange{
        .order_id = own_order(),
        .uid = closed_user(),
        .domain = domain,
        .from_type = into_copper ? gold : copper,
        .to_type = into_copper ? copper : gold,
        .amount = Amount::from(2 * random_amount(200).value()).value()};  // nothing is rounded off
  }
  Transfer transfer{.order_id = own_order(),
                    .type = random_.chance(1, 3) ? copper : gold,
                    .domain = domain,
                    .from = closed_user(),
                    .to = closed_user(),
                    .amount = random_amount(300),
                    .remark = ""};
  while (transfer.to == transfer.from) transfer.to = closed_user();
  return transfer;
}

// Repeats the call until the stores answer.
template <class F>
auto Client::insist(F call) -> decltype(call()) {
  for (;;) {
    try {
      co_return co_await call();
    } catch (StoreError const&) {
      ++store_errors;
    }
    co_await sleep_for(5ms);
  }
}

Task<OrderId> Client::issued_order() {
  auto const type = world_.types[random_.below(world_.types.size())];
  auto order = co_await insist([&] { return lane_.ledger.issue_order(type); });
  co_return order.value();
}

Task<Result<Receipt>> Client::send(Request request) {
  return insist([this, request = std::move(request)]() -> Task<Result<Receipt>> {
    if (auto const* entry = std::get_if<Entry>(&request)) return lane_.ledger.post(*entry);
    if (auto const* transfer = std::get_if<Transfer>(&request)) return lane_.ledger.transfer(*transfer);
    if (auto const* exchange = std::get_if<Exchange>(&request)) return lane_.ledger.exchange(*exchange);
    return lane_.ledger.hold(std::get<Hold>(request));
  });
}

void Client::note(Request const& request, Receipt const& receipt) {
  if (!is_pending(receipt.outcome)) check_step(request, receipt.outcome);
  told.push_back({request, receipt.outcome});
}

Task<Receipt> Client::must(Request request) {
  auto receipt = co_await send(request);
  if (!receipt) {
    // Time moves on, so a lot or a hold may expire before it reaches the ledger.
    auto const& error = receipt.error();
    if (error.field != "expires_at") {
      throw std::runtime_error(fmt::format("refused: {} {}", error.code.name, error.detail));
    }
    refused.insert(key_of(request));
    co_return Receipt{};
  }
  note(request, *receipt);
  co_return std::move(*receipt);
}

Task<void> Client::fresh(Request request) {
  auto const errors_before = store_errors;
  auto const receipt = co_await must(request);
  if (store_errors == errors_before) EXPECT_FALSE(receipt.replayed);
  auto const* hold = std::get_if<Hold>(&request);
  if (hold && receipt.outcome.op == Op::hold && receipt.outcome.status == Status::ok) holds_.push_back(*hold);
}

Task<void> Client::replay() {
  if (told.empty()) co_return;
  auto const first = told[random_.below(told.size())];
  auto const receipt = co_await must(first.request);
  EXPECT_TRUE(receipt.replayed);
  if (!is_pending(first.outcome)) EXPECT_EQ(describe(receipt.outcome), describe(first.outcome));
}

Task<void> Client::contradict() {
  if (told.empty()) co_return;
  auto request = told[random_.below(told.size())].request;
  auto& amount = amount_of(request);
  amount = Amount::from(amount.value() == 77 ? 78 : 77).value();
  auto const receipt = co_await send(request);
  EXPECT_FALSE(receipt);
  if (!receipt) EXPECT_EQ(receipt.error().code, errors::order_conflict);
}

// An order that other clients use, too, some of them with another amount.
Task<void> Client::shared_order(std::uint64_t step) {
  Entry const entry{.order_id = OrderId::from(fmt::format("shared-{}", step / 4)).value(),
                    .op = Op::add,
                    .account = {.type = world_.types[0],
                                .domain = Domain::from("main").value(),
                                .uid = UserId::from(fmt::format("user{}", step % 3)).value()},
                    .amount = random_amount(2),
                    .remark = ""};
  auto const receipt = co_await send(entry);
  if (receipt) {
    note(entry, *receipt);
  } else {
    EXPECT_EQ(receipt.error().code, errors::order_conflict);
    conflicts.emplace_back(entry);
  }
}

// Like an impatient caller: sends the same request again before the first answer.
Task<void> Client::twice_at_once() {
  auto const request = random_request(own_order());
  auto const trouble_before = trouble();
  std::vector<Task<Receipt>> calls;
  calls.push_back(must(request));
  calls.push_back(must(request));
  auto const receipts = co_await when_all(std::move(calls));
  if (refused.contains(key_of(request))) co_return;
  if (is_pending(receipts[0].outcome) || is_pending(receipts[1].outcome)) co_return;
  EXPECT_EQ(describe(receipts[0].outcome), describe(receipts[1].outcome));
  if (trouble() == trouble_before) EXPECT_NE(receipts[0].replayed, receipts[1].replayed);
}

Task<void> Client::close_hold() {
  if (holds_.empty()) co_return;
  auto const hold = holds_[random_.below(holds_.size())];
  auto const uid = hold.account.uid;
  bool const closed_group = uid.str().starts_with("closed");
  bool const release = closed_group || random_.chance(1, 3);
  auto const part =
      random_.chance(1, 2) ? std::optional(random_amount(std::uint64_t(hold.amount.value()))) : std::nullopt;
  auto const receipt = co_await insist([&] {
    return release ? lane_.ledger.release(uid, hold.order_id)
                   : lane_.ledger.capture(uid, hold.order_id, part);
  });
  if (!receipt) {
    EXPECT_EQ(receipt.error().code, errors::hold_closed);
    co_return;
  }
  auto const captured = receipt->outcome.number("captured");
  if (!release) EXPECT_EQ(captured, part.value_or(hold.amount).value());
  auto const [at, first] = closed_holds.emplace(key_of(Request(hold)), captured);
  EXPECT_EQ(at->second, captured) << "a hold that was closed twice";
}

Task<void> Client::batch() {
  auto const uid = random_user();
  std::vector<Entry> entries;
  auto const count = 2 + random_.below(5);
  for (std::uint64_t i = 0; i < count; ++i) {
    entries.push_back(random_entry(own_order()));
    entries.back().account.uid = uid;
    entries.back().expires_at = std::nullopt;
  }
  if (random_.chance(1, 2)) {
    auto const results = co_await insist([&] { return lane_.ledger.post_each(entries); });
    for (std::size_t i = 0; i < entries.size(); ++i) note(entries[i], results[i].value());
    co_return;
  }
  auto const receipts = co_await insist([&] { return lane_.ledger.post_all(entries); });
  if (receipts) {
    for (std::size_t i = 0; i < entries.size(); ++i) note(entries[i], (*receipts)[i]);
    co_return;
  }
  EXPECT_EQ(receipts.error().code, errors::batch_refused);
  for (auto const& entry : entries) refused.insert(key_of(Request(entry)));
}

// No account may ever have less than 0 points.
Task<void> Client::look() {
  auto const view = co_await insist([&] { return lane_.ledger.account(random_account()); });
  auto const now = world_.clock.now();
  std::int64_t in_lots = 0;
  for (auto const& lot : view.value().lots) {
    if (!lot.effective_at) in_lots += lot.amount.value();
    if (lot.expires_at) EXPECT_GT(*lot.expires_at, now + -60'000);
  }
  EXPECT_LE(in_lots, view.value().balance.value());
}

}  // namespace larder::ledger
