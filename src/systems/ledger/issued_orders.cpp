#include "systems/ledger/issued_orders.hpp"

#include "base/number.hpp"
#include "systems/ledger/ledger_keys.hpp"
#include "systems/ledger/ledger_rules.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

constexpr std::int64_t hour_ms = 3'600'000;

bool is_over(std::int64_t hour, std::int64_t days_max, TimeMs now) {
  return hour * hour_ms + days_max * day_ms <= now.value;
}

}  // namespace

Task<OrderId> IssuedOrders::issue(ScoreType const& type, TimeMs now) {
  auto const shard = type.id * shards_per_type + std::int64_t(random_.below(std::uint64_t(shards_)));
  if (marked_[shard] < now.value / hour_ms) co_await mark(type, shard, now);
  auto const key = Keys::counter(type.id, shard);
  // A repeated INCR only skips a number.
  auto const reply = co_await redis_.command(redis::Use::idempotent_write, key, {"INCR", key});
  co_return OrderId::from(fmt::format("{}:{}", reply.integer(), shard)).value();
}

// Called before the first number of the hour is issued. The server that sets the mark has read the counter
// before any number of this hour was issued. So no number is below the mark of its hour.
Task<void> IssuedOrders::mark(ScoreType const& type, std::int64_t shard, TimeMs now) {
  auto const counter = Keys::counter(type.id, shard);
  auto const last = co_await redis_.command(redis::Use::read, counter, {"GET", counter});
  auto const first = fmt::to_string((last.is_nil() ? 0 : last.integer()) + 1);
  auto const key = Keys::counter_hours(type.id, shard);
  auto const hour = fmt::to_string(now.value / hour_ms);
  co_await redis_.command(redis::Use::idempotent_write, key, {"HSETNX", key, hour, first});
  marked_[shard] = now.value / hour_ms;
  for (auto const& [number, old] : co_await load(type.id, shard)) {
    if (!is_over(old, type.order_ttl_days, now)) break;
    auto const name = fmt::to_string(old);
    co_await redis_.command(redis::Use::idempotent_write, key, {"HDEL", key, name});
  }
}

std::optional<IssuedOrders::Number> IssuedOrders::parse(OrderId const& order, TypeId type) const {
  std::string_view const text = order.str();
  if (text[0] < '1' || text[0] > '9') return std::nullopt;
  auto const colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  auto const n = parse_int(text.substr(0, colon));
  auto const shard = parse_int(text.substr(colon + 1));
  auto const first = type * shards_per_type;
  if (!n || !shard || *shard < first || *shard >= first + shards_per_type) return std::nullopt;
  return Number{.n = *n, .shard = *shard};
}

Task<bool> IssuedOrders::is_too_old(OrderId const& order, ScoreType const& type, TimeMs now) {
  auto const number = parse(order, type.id);
  if (!number) co_return false;
  auto const fits = [&](Marks const& marks) {
    auto const next = marks.upper_bound(number->n);
    if (next == marks.begin()) return false;
    // The order may have been used in the hour in which it was issued.
    auto const hour = std::prev(next)->second;
    auto const days_max =
        std::min(type.order_age_days_max, days_surely_remembered(type, TimeMs{hour * hour_ms}));
    return !is_over(hour, days_max, now);
  };
  // A number is at least as young as the mark before it, so the known marks may be enough.
  if (fits(marks_[number->shard])) co_return false;
  auto fresh = co_await load(type.id, number->shard);
  co_return !fits(marks_[number->shard] = std::move(fresh));
}

Task<IssuedOrders::Marks> IssuedOrders::load(TypeId type, std::int64_t shard) {
  auto const key = Keys::counter_hours(type, shard);
  auto const reply = co_await redis_.command(redis::Use::read, key, {"HGETALL", key});
  Marks marks;
  for (std::size_t i = 0; i + 1 < reply.size(); i += 2) {
    auto& hour = marks[reply.at(i + 1).integer()];
    hour = std::max(hour, reply.at(i).integer());
  }
  co_return marks;
}

}  // namespace larder::ledger
