// Transfers that the relay has given up. The journal forgets nothing, so it knows what became of their
// points.
#include "kit/events/dead_events.hpp"
#include "kit/events/projector.hpp"
#include "systems/ledger/ledger.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

// An order can be used again when it is forgotten, a day later at the earliest. Clocks differ by much less.
constexpr std::int64_t other_use_ms = day_ms / 2;

// A member of the relay: "uid type domain order".
std::pair<Account, OrderId> parse_member(std::string_view member) {
  auto const space = member.rfind(' ');
  return {parse_account(member.substr(0, space)), OrderId::from(member.substr(space + 1)).value()};
}

}  // namespace

Task<std::vector<LeftTransfer>> Ledger::left_transfers() {
  std::vector<LeftTransfer> all;
  for (auto const& shard : shared_.keys.shards()) {
    for (auto& dead : co_await schedule::dead_members(redis_, shard.relay))
      all.push_back(co_await read_left(std::move(dead)));
  }
  co_return all;
}

Task<LeftTransfer> Ledger::read_left(schedule::DeadMember dead) {
  auto const [from, order_id] = parse_member(dead.member);
  LeftTransfer left{.from = from,
                    .order_id = order_id,
                    .intent = {},
                    .arrival = {},
                    .journal_lacks_events = false,
                    .left_at = dead.buried_at,
                    .why = std::move(dead.why)};
  if (auto const intent = co_await intent_of(from, order_id)) {
    left.intent = parse_intent(*intent);
    auto const& to = left.intent->to;
    co_await journal_caught_up(to);
    left.journal_lacks_events = co_await has_dead_events(to);  // asked first: an event may reach the journal
    left.arrival = co_await arrival_in_journal(from, order_id, *left.intent);
  }
  co_return left;
}

Task<bool> Ledger::has_dead_events(UserId const& uid) {
  auto const& outbox = shared_.keys.shards()[shared_.keys.shard_of(uid)].outbox;
  auto const dead = outbox + std::string(events::dead_suffix);
  auto const retry = outbox + std::string(events::retry_suffix);
  auto const found = co_await redis_.command(redis::Use::read, dead, {"EXISTS", dead, retry});
  co_return found.integer() > 0;
}

Task<std::optional<Outcome>> Ledger::arrival_in_journal(Account const& from, OrderId const& order_id,
                                                        Intent const& intent) {
  for (auto const& flow : co_await shared_.journal.flows_of_order(intent.to, order_id, Op::transfer_in)) {
    // Orders belong to their users: another user may have sent points under the same order.
    bool const is_it = flow.outcome.word("from") == from.uid.str() && flow.outcome.type == from.type &&
                       flow.outcome.domain == from.domain &&
                       flow.outcome.at.value > intent.sent_at.value - other_use_ms;
    if (is_it) co_return flow.outcome;
  }
  co_return std::nullopt;
}

Task<Result<LeftTransfer>> Ledger::find_left(UserId const& uid, OrderId const& order_id) {
  auto const& relay = shared_.keys.shards()[shared_.keys.shard_of(uid)].relay;
  for (auto& dead : co_await schedule::dead_members(redis_, relay)) {
    auto const [from, order] = parse_member(dead.member);
    if (from.uid != uid || order != order_id) continue;
    auto left = co_await read_left(std::move(dead));
    if (left.arrival || !left.journal_lacks_events) co_return left;
    co_return refuse(
        errors::arrival_unknown,
        "SQL refuses events, so the journal may lack the arrival of the points: see `larder outbox "
        "dead list` first");
  }
  co_return refuse(errors::transfer_not_left,
                   fmt::format("no transfer {} of {} waits for a person", order_id.str(), uid.str()));
}

Task<Result<Outcome>> Ledger::complete_left(UserId uid, OrderId order_id) {
  auto const left = co_await find_left(uid, order_id);
  if (!left) co_return std::unexpected(left.error());
  co_return co_await end_left(*left, scripts::Decides::person);
}

Task<Result<Outcome>> Ledger::return_left(UserId uid, OrderId order_id) {
  auto const left = co_await find_left(uid, order_id);
  if (!left) co_return std::unexpected(left.error());
  if (left->arrival && left->arrival->status == Status::ok) {
    co_return refuse(errors::transfer_arrived,
                     fmt::format("the points arrived at {}: complete the transfer instead",
                                 to_rfc3339(left->arrival->at)));
  }
  co_return co_await end_left(*left, scripts::Decides::person_who_withdraws);
}

// If this is cut off, it can be done again: the arrival is decided once, and then the transfer is closed
// once.
Task<Result<Outcome>> Ledger::end_left(LeftTransfer const& left, scripts::Decides decides) {
  auto const& [from, order_id, intent, known_arrival, lacks_events, left_at, why] = left;
  if (intent) {
    auto const type = co_await known_type(from.type);
    auto arrival = known_arrival;
    if (!arrival) {
      auto const decided = co_await run(scripts::receive_transfer(shared_.keys, from, order_id, *intent,
                                                                  *type, decides, shared_.clock.now()),
                                        order_id);
      redis::ReplyReader in(decided);
      in.flag();  // another operator may have decided it just now
      arrival = parse_record(in.text());
      after(intent->to, "");
    }
    co_await close_transfer(from, *type, order_id, *arrival);
  }
  // A dead member can only be requeued. The relay finds nothing to do, and removes it.
  auto const member =
      fmt::format("{} {} {} {}", from.uid.str(), from.type, from.domain.str(), order_id.str());
  auto const& relay_key = shared_.keys.shards()[shared_.keys.shard_of(from.uid)].relay;
  co_await schedule::requeue(redis_, relay_key, member, shared_.clock.now());
  co_await relay(member);
  co_return co_await order(from.uid, order_id);
}

}  // namespace larder::ledger
