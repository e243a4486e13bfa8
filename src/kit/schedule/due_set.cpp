#include "kit/schedule/due_set.hpp"

#include "kit/schedule/schedule_scripts.hpp"
#include "stores/redis/reply_reader.hpp"

#include <charconv>

namespace larder::schedule {

namespace {

constexpr std::size_t why_bytes_max = 1000;

}  // namespace

TimeMs parse_due_time(std::string_view score) {
  constexpr double most = 1LL << 53;
  double number = 0;
  std::from_chars(score.data(), score.data() + score.size(), number);
  return {std::int64_t(std::clamp(number, -most, most))};
}

DueSetKeys::DueSetKeys(std::string due)
    : due(std::move(due)),
      failures(this->due + ":failures"),
      dead(this->due + ":dead"),
      reasons(this->due + ":dead:why") {}

Task<std::optional<TimeMs>> DueSet::head() {
  auto const reply =
      co_await redis_.command(redis::Use::read, keys_.due, {"ZRANGE", keys_.due, "0", "0", "WITHSCORES"});
  if (reply.size() < 2) co_return std::nullopt;
  co_return parse_due_time(reply.at(1).text());
}

Task<std::int64_t> DueSet::count_due(TimeMs now) {
  auto const until = std::to_string(now.value);
  auto const reply =
      co_await redis_.command(redis::Use::read, keys_.due, {"ZCOUNT", keys_.due, "-inf", until});
  co_return reply.integer();
}

Task<std::int64_t> DueSet::count_dead() {
  auto const reply = co_await redis_.command(redis::Use::read, keys_.due, {"ZCARD", keys_.dead});
  co_return reply.integer();
}

// Not repeated if the answer is lost: a second run would claim other members.
Task<Claims> DueSet::claim(TimeMs now, std::chrono::milliseconds lease, int count) {
  auto const reply =
      co_await redis_.run(redis::Use::write, scripts::schedule_claim(keys_, now, lease, count));
  redis::ReplyReader in(reply);
  Claims claims;
  if (auto const next = in.text(); !next.empty()) claims.next = parse_due_time(next);
  while (!in.at_end()) {
    claims.members.push_back({.member = std::string(in.text()),
                              .due = parse_due_time(in.text()),
                              .lease_end = now + lease.count(),
                              .attempts = int(in.integer())});
  }
  co_return claims;
}

Task<void> DueSet::give_back(std::span<Claimed const> claimed) {
  if (claimed.empty()) co_return;
  co_await redis_.run(redis::Use::idempotent_write, scripts::schedule_move(keys_, claimed));
}

Task<void> DueSet::postpone(Claimed const& claimed, TimeMs due) {
  auto moved = claimed;
  moved.due = due;
  co_await give_back(std::span(&moved, 1));
}

Task<int> DueSet::fail(Claimed const& claimed, int attempts_max, TimeMs retry_at, TimeMs now,
                       std::string_view why) {
  auto const reply = co_await redis_.run(
      redis::Use::idempotent_write,
      scripts::schedule_fail(keys_, claimed, attempts_max, retry_at, now, why.substr(0, why_bytes_max)));
  co_return int(reply.integer());
}

Task<void> DueSet::forget_failures(std::string_view member) {
  co_await redis_.command(redis::Use::idempotent_write, keys_.due, {"HDEL", keys_.failures, member});
}

Task<std::vector<DeadMember>> DueSet::dead_members() {
  auto const dead =
      co_await redis_.command(redis::Use::read, keys_.due, {"ZRANGE", keys_.dead, "0", "-1", "WITHSCORES"});
  std::vector<DeadMember> found;
  if (dead.size() == 0) co_return found;
  std::vector<std::string_view> ask = {"HMGET", keys_.reasons};
  for (std::size_t i = 0; i + 1 < dead.size(); i += 2) ask.push_back(dead.at(i).text());
  auto const reasons = co_await redis_.command(redis::Use::read, keys_.due, ask);
  for (std::size_t i = 0; i + 1 < dead.size(); i += 2) {
    found.push_back({.member = std::string(dead.at(i).text()),
                     .buried_at = parse_due_time(dead.at(i + 1).text()),
                     .why = reasons.at(i / 2).optional_text().value_or("")});
  }
  co_return found;
}

Task<bool> DueSet::requeue(std::string_view member, TimeMs due) {
  auto const reply = co_await redis_.run(redis::Use::write, scripts::schedule_requeue(keys_, member, due));
  co_return reply.integer() == 1;
}

Task<std::vector<DeadMember>> dead_members(redis::Redis& redis, std::string due_set) {
  DueSet set(redis, std::move(due_set));
  co_return co_await set.dead_members();
}

Task<bool> requeue(redis::Redis& redis, std::string due_set, std::string member, TimeMs due) {
  DueSet set(redis, std::move(due_set));
  co_return co_await set.requeue(member, due);
}

}  // namespace larder::schedule
