#include "kit/schedule/due_set.hpp"

#include "larder_schedule_scripts.hpp"

#include <charconv>

namespace larder::schedule {

namespace {

redis::Script const schedule_claim{lua::schedule_claim};
redis::Script const schedule_move{lua::schedule_move};
redis::Script const schedule_fail{lua::schedule_fail};
redis::Script const schedule_requeue{lua::schedule_requeue};

constexpr std::size_t why_bytes_max = 1000;

std::string digits(TimeMs time) { return std::to_string(time.value); }

// A score need not be a whole number, nor finite: whatever somebody wrote there must not stop the others.
TimeMs parse_score(std::string_view text) {
  constexpr double most = 1LL << 53;
  double score = 0;
  std::from_chars(text.data(), text.data() + text.size(), score);
  return {std::int64_t(std::clamp(score, -most, most))};
}

}  // namespace

DueSet::DueSet(redis::Redis& redis, std::string key)
    : redis_(redis),
      key_(std::move(key)),
      failures_(key_ + ":failures"),
      dead_(key_ + ":dead"),
      reasons_(key_ + ":dead:why") {}

Task<std::optional<TimeMs>> DueSet::head() {
  auto const reply =
      co_await redis_.command(redis::Use::read, key_, {"ZRANGE", key_, "0", "0", "WITHSCORES"});
  if (reply.size() < 2) co_return std::nullopt;
  co_return parse_score(reply.at(1).text());
}

Task<std::int64_t> DueSet::count_dead() {
  auto const reply = co_await redis_.command(redis::Use::read, key_, {"ZCARD", dead_});
  co_return reply.integer();
}

// Not repeated when its answer is lost: a second run would claim other members.
Task<Claims> DueSet::claim(TimeMs now, std::chrono::milliseconds lease, int count) {
  auto const now_ms = digits(now);
  auto const lease_ms = std::to_string(lease.count());
  auto const most = std::to_string(count);
  std::array<std::string_view, 2> const keys{key_, failures_};
  std::array<std::string_view, 3> const args{now_ms, lease_ms, most};
  auto const reply = co_await redis_.run(redis::Use::write, schedule_claim, keys, args);
  Claims claims;
  if (auto const next = reply.at(0).text(); !next.empty()) claims.next = parse_score(next);
  for (std::size_t i = 1; i + 2 < reply.size(); i += 3) {
    claims.members.push_back({.member = std::string(reply.at(i).text()),
                              .due = parse_score(reply.at(i + 1).text()),
                              .lease_end = now + lease.count(),
                              .attempts = int(reply.at(i + 2).integer())});
  }
  co_return claims;
}

Task<void> DueSet::give_back(std::span<Claimed const> claimed) {
  if (claimed.empty()) co_return;
  std::vector<std::string> words = {digits(claimed.front().lease_end)};
  for (auto const& each : claimed) {
    words.push_back(digits(each.due));
    words.push_back(each.member);
  }
  std::array<std::string_view, 1> const keys{key_};
  std::vector<std::string_view> const args(words.begin(), words.end());
  co_await redis_.run(redis::Use::idempotent_write, schedule_move, keys, args);
}

Task<void> DueSet::postpone(Claimed const& claimed, TimeMs due) {
  auto moved = claimed;
  moved.due = due;
  co_await give_back(std::span(&moved, 1));
}

Task<int> DueSet::fail(Claimed const& claimed, int attempts_max, TimeMs retry_at, TimeMs now,
                       std::string_view why) {
  auto const lease_end = digits(claimed.lease_end);
  auto const most = std::to_string(attempts_max);
  auto const retry_ms = digits(retry_at);
  auto const now_ms = digits(now);
  std::array<std::string_view, 4> const keys{key_, failures_, dead_, reasons_};
  std::array<std::string_view, 6> const args{claimed.member, lease_end, most,
                                             retry_ms,       now_ms,    why.substr(0, why_bytes_max)};
  auto const reply = co_await redis_.run(redis::Use::idempotent_write, schedule_fail, keys, args);
  co_return int(reply.integer());
}

Task<void> DueSet::forget_failures(std::string_view member) {
  co_await redis_.command(redis::Use::idempotent_write, key_, {"HDEL", failures_, member});
}

Task<std::vector<DeadMember>> DueSet::dead_members() {
  auto const dead =
      co_await redis_.command(redis::Use::read, key_, {"ZRANGE", dead_, "0", "-1", "WITHSCORES"});
  std::vector<DeadMember> found;
  if (dead.size() == 0) co_return found;
  std::vector<std::string_view> ask = {"HMGET", reasons_};
  for (std::size_t i = 0; i + 1 < dead.size(); i += 2) ask.push_back(dead.at(i).text());
  auto const reasons = co_await redis_.command(redis::Use::read, key_, ask);
  for (std::size_t i = 0; i + 1 < dead.size(); i += 2) {
    found.push_back({.member = std::string(dead.at(i).text()),
                     .buried_at = parse_score(dead.at(i + 1).text()),
                     .why = reasons.at(i / 2).optional_text().value_or("")});
  }
  co_return found;
}

Task<bool> DueSet::requeue(std::string_view member, TimeMs due) {
  auto const due_ms = digits(due);
  std::array<std::string_view, 4> const keys{key_, failures_, dead_, reasons_};
  std::array<std::string_view, 2> const args{member, due_ms};
  auto const reply = co_await redis_.run(redis::Use::write, schedule_requeue, keys, args);
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
