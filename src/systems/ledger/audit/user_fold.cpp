#include "systems/ledger/audit/user_fold.hpp"

#include "base/number.hpp"
#include "kit/events/projector.hpp"
#include "systems/ledger/issued_orders.hpp"
#include "systems/ledger/ledger.hpp"
#include "systems/ledger/ledger_outbox.hpp"
#include "systems/ledger/order_record.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

constexpr int page_flows = 5000;
constexpr int page_events = 1000;
constexpr std::size_t batch_things = 2000;  // accounts and orders of the users that next() returns
// No counter gets that far, but a client's own order may.
constexpr std::int64_t issued_max = 1'000'000'000'000'000;

std::int64_t expiry_of(Outcome const& hold) { return parse_int(hold.word("exp")).value_or(0); }

}  // namespace

ScoreType const* FoldRules::type(TypeId id) const {
  auto const found = types.find(id);
  return found == types.end() ? nullptr : &found->second;
}

std::string describe(Account const& account) {
  return fmt::format("account {} {} {}", account.uid.str(), account.type, account.domain.str());
}

UserFold::UserFold(UserId uid, FoldRules const& rules, std::set<std::string> const* only)
    : uid_(std::move(uid)), rules_(&rules), only_(only) {}

std::vector<std::string> UserFold::add(Flow const& flow) {
  std::vector<std::string> problems;
  auto const& outcome = flow.outcome;
  AccountName const name{outcome.type, outcome.domain};
  auto& account = accounts_[name];
  if (auto const wrong = account.state.apply(flow)) {
    problems.push_back(fmt::format("{}: flow {} of order {}: {}", describe(this->account(name)),
                                   flow.id.str(), flow.order_id.str(), *wrong));
  }
  if (account.flows++ == 0 && !rules_->type(outcome.type)) {
    problems.push_back(fmt::format("{}: there is no such type", describe(this->account(name))));
  }
  if (outcome.change() != 0) account.has_balance = true;
  if (outcome.op == Op::hold && outcome.status == Status::ok) account.has_held = true;
  note_order(flow, account, problems);
  last_flow_ = flow.id;
  if (!only_ && orders_.size() >= forget_at_size_) {
    forget_orders(outcome.at);
    forget_at_size_ = std::max(forget_at_size_, orders_.size() * 2);
  }
  return problems;
}

void UserFold::forget_orders(TimeMs now) {
  if (only_) return;
  std::erase_if(orders_, [&](auto const& entry) {
    auto const& forgotten_at = entry.second.forgotten_at;
    return forgotten_at && *forgotten_at <= now;
  });
}

FoldedOrder* UserFold::find(OrderId const& order_id) {
  auto const found = orders_.find(rules_->keys.order(uid_, order_id));
  return found == orders_.end() ? nullptr : &found->second;
}

std::optional<TimeMs> UserFold::forgotten_after(Outcome const& outcome, TimeMs time) const {
  auto const* const type = rules_->type(outcome.type);
  return time + (type ? days_surely_remembered(*type, outcome.at) * day_ms : 0);
}

// An order is remembered for as long as it can be open, and after that for order_ttl_days.
std::optional<TimeMs> UserFold::forgotten_after_end(Outcome const& outcome) const {
  auto const* const type = rules_->type(outcome.type);
  return type && type->ends_at ? forgotten_after(outcome, keys_expire_at(*type)) : std::nullopt;
}

std::optional<TimeMs> UserFold::forgotten_after_hold(Outcome const& hold) const {
  if (hold.status != Status::ok) return forgotten_after(hold, hold.at);
  auto const expires = expiry_of(hold);
  return expires != 0 ? forgotten_after(hold, {expires}) : forgotten_after_end(hold);
}

// Does what the scripts do: writes the records of orders, and decides how long they are remembered.
void UserFold::note_order(Flow const& flow, FoldedAccount& account, std::vector<std::string>& problems) {
  auto const& outcome = flow.outcome;
  auto const key = [&] { return rules_->keys.order(uid_, flow.order_id); };
  auto const forgotten_at = forgotten_after(outcome, outcome.at);
  auto const closing = std::exchange(account.closing, "");

  switch (outcome.op) {
    case Op::add:
    case Op::deduct:
    case Op::reset:
    case Op::opening:
    case Op::exchange_out: decide(key(), flow, forgotten_at, problems); break;
    case Op::transfer_out:
      decide(key(), flow, outcome.word("state") == "pending" ? forgotten_after_end(outcome) : forgotten_at,
             problems);
      break;
    case Op::hold: decide(key(), flow, forgotten_after_hold(outcome), problems); break;
    case Op::transfer_in: {
      auto const from = UserId::from(outcome.word("from"));
      // On one Redis, an arrival has a record only if it came from a cluster: see Rebuilder::write_arrival.
      if (from && (only_ || !rules_->keys.same_slot(*from, uid_))) {
        decide(rules_->keys.arrival(uid_, *from, flow.order_id), flow, forgotten_at, problems);
      }
      break;
    }
    case Op::transfer_done:
      if (auto* const order = find(flow.order_id)) {
        order->outcome.detail = outcome.detail;
        order->forgotten_at = forgotten_at;
      }
      break;
    case Op::transfer_return:
      note_return(flow);
      decide(key(), flow, forgotten_at, problems);
      break;
    case Op::capture:
    case Op::release: note_closed_hold(flow, account); break;
    case Op::expire: note_expiry(flow, closing, account); break;
    case Op::exchange_in:
    case Op::forgotten:
    case Op::mature: break;
  }
}

// Changes the record of a transfer that could not arrive.
void UserFold::note_return(Flow const& flow) {
  auto const returned = OrderId::from(flow.outcome.word("return_of"));
  auto* const order = returned ? find(*returned) : nullptr;
  if (!order) return;
  auto& first = order->outcome;
  first.status = status_of(flow.outcome.word("why")).value_or(first.status);
  first.balance = first.old_balance;
  first.detail = fmt::format("to={} state=returned returned_by={}", first.word("to"), flow.order_id.str());
  order->forgotten_at = forgotten_after(flow.outcome, flow.outcome.at);
}

void UserFold::note_closed_hold(Flow const& flow, FoldedAccount& account) {
  auto const& outcome = flow.outcome;
  auto* const order = find(flow.order_id);
  if (!order) return;
  auto const expires = expiry_of(order->outcome);
  // When a hold expires, nobody closes its order, so the record stays as it was.
  if (outcome.op == Op::release && expires != 0 && outcome.at.value >= expires) return;
  account.closing = rules_->keys.order(uid_, flow.order_id);
  // After a partial capture, the rest comes back with a release of the same moment.
  bool const captured = outcome.op == Op::capture || order->outcome.word("state") == "captured";
  auto const points = outcome.op == Op::capture ? outcome.amount.value()
                                                : order->outcome.amount.value() - outcome.amount.value();
  order->outcome.detail = fmt::format("exp={} state={} captured={} after={}", expires,
                                      captured ? "captured" : "released", points, outcome.balance.value());
  order->forgotten_at = forgotten_after(outcome, outcome.at);
}

// Points that a hold gave back may have expired meanwhile. The same script expires them before it reports the
// balance. `closing` is the order of that hold if the flow before this one closed it.
void UserFold::note_expiry(Flow const& flow, std::string const& closing, FoldedAccount& account) {
  auto const order = orders_.find(closing);
  if (order == orders_.end()) return;
  if (order->second.forgotten_at != forgotten_after(flow.outcome, flow.outcome.at)) return;
  account.closing = closing;
  auto& detail = order->second.outcome.detail;
  detail = fmt::format("{} after={}", detail.substr(0, detail.find(" after=")), flow.outcome.balance.value());
}

void UserFold::decide(std::string key, Flow const& flow, std::optional<TimeMs> forgotten_at,
                      std::vector<std::string>& problems) {
  if (flow.outcome.op != Op::transfer_in) note_number(flow.order_id);
  if (only_ && !only_->contains(key)) return;
  FoldedOrder order{.order_id = flow.order_id,
                    .outcome = flow.outcome,
                    .decided_by = flow.id,
                    .forgotten_at = forgotten_at};
  auto const [found, fresh] = orders_.try_emplace(std::move(key), std::move(order));
  if (fresh) return;
  auto& first = found->second;
  if (!first.forgotten_at || first.forgotten_at->value - end_margin_ms > flow.outcome.at.value) {
    problems.push_back(fmt::format("order {} {}: decided twice, by flow {} and by flow {}", uid_.str(),
                                   flow.order_id.str(), first.decided_by.str(), flow.id.str()));
  }
  first = std::move(order);
}

// An issued number is "<number>:<shard>".
void UserFold::note_number(OrderId const& order_id) {
  std::string_view const text = order_id.str();
  auto const colon = text.find(':');
  if (colon == std::string_view::npos) return;
  auto const number = parse_int(text.substr(0, colon));
  auto const shard = parse_int(text.substr(colon + 1));
  if (!number || !shard || *number > issued_max || !rules_->type(*shard / shards_per_type)) return;
  auto& highest = numbers_[*shard];
  highest = std::max(highest, *number);
}

Task<std::vector<UserFold>> UserReader::next() {
  std::vector<UserFold> users;
  std::size_t things = 0;
  while (things < batch_things) {
    if (at_ == page_.size() && !co_await read_page()) {
      if (user_) users.push_back(*std::exchange(user_, std::nullopt));
      break;
    }
    auto const& [uid, flow] = page_[at_++];
    if (user_ && user_->uid() != uid) {
      things += user_->accounts().size() + user_->orders().size();
      users.push_back(*std::exchange(user_, std::nullopt));
    }
    if (!user_) user_.emplace(uid, rules_);
    for (auto& line : user_->add(flow)) problem_(std::move(line));
    ++flows_;
  }
  co_return users;
}

Task<bool> UserReader::read_page() {
  for (; table_ < journal_.flow_tables(); ++table_, last_.reset()) {
    page_ = co_await journal_.page(table_, last_, page_flows);
    at_ = 0;
    if (page_.empty()) continue;
    last_ = page_.back();
    co_await know_types();
    co_return true;
  }
  co_return false;
}

// A type exists before its first flow. So an unknown type was created in the meantime.
Task<void> UserReader::know_types() {
  for (auto const& [uid, flow] : page_) {
    if (rules_.type(flow.outcome.type)) continue;
    for (auto& type : co_await journal_.types()) rules_.types[type.id] = type;
    co_return;
  }
}

Task<void> read_user(redis::Redis& redis, Journal& journal, Keys const& keys, FlowId last, UserFold& fold) {
  // Read the outbox first: events that leave it afterwards are in the journal.
  auto const& outbox = keys.shards()[keys.shard_of(fold.uid())].outbox;
  std::vector<Flow> waiting;
  for (std::string first = "-";;) {
    auto const events = co_await events::read_events(redis, outbox, first, last.str(), page_events);
    if (events.empty()) break;
    for (auto const& event : events) {
      auto [uid, flow] = flow_of(event);
      if (uid == fold.uid()) waiting.push_back(std::move(flow));
    }
    first = events::next_id(events.back().id);
  }
  std::optional<UserFlow> after;
  for (;;) {
    auto const page = co_await journal.page_of(fold.uid(), after, page_flows);
    if (page.empty()) break;
    for (auto const& [uid, flow] : page) {
      if (flow.id <= last) fold.add(flow);
    }
    after = page.back();
  }
  for (auto const& flow : waiting) {
    if (flow.id > fold.last_flow()) fold.add(flow);
  }
}

}  // namespace larder::ledger
