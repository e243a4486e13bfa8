#include "kit/schedule/due_set_views.hpp"

#include "base/when_all.hpp"
#include "kit/schedule/schedule_scripts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::schedule {

namespace {

constexpr std::int64_t portion_min = 100;

Task<std::int64_t> number_of(redis::Redis& redis, std::string key, std::vector<std::string> words) {
  std::vector<std::string_view> const command(words.begin(), words.end());
  co_return (co_await redis.command(redis::Use::read, key, command)).integer();
}

// How long ago the earliest member was due; negative if that is still to come, 0 if the set is empty.
Task<std::int64_t> late_by(redis::Redis& redis, std::string due_set, TimeMs now) {
  DueSet set(redis, std::move(due_set));
  auto const head = co_await set.head();
  co_return head ? now - *head : 0;
}

// The reasons of these members.
Task<void> add_reasons(redis::Redis& redis, DueSetKeys const& keys, std::vector<DeadMember>& dead) {
  if (dead.empty()) co_return;
  std::vector<std::string_view> command{"HMGET", keys.reasons};
  for (auto const& each : dead) command.push_back(each.member);
  auto const reasons = co_await redis.command(redis::Use::read, keys.due, command);
  for (std::size_t i = 0; i < dead.size(); ++i) dead[i].why = reasons.at(i).optional_text().value_or("");
}

}  // namespace

DeadPlace place_of(DeadMember const& dead) {
  return {.buried_at = dead.buried_at, .begin = dead.member.substr(0, DeadPlace::bytes_max)};
}

Task<DueSetView> view_due_set(redis::Redis& redis, std::string due_set, TimeMs now) {
  DueSetKeys const keys(due_set);
  std::vector<Task<std::int64_t>> asked;
  asked.push_back(number_of(redis, keys.due, {"ZCARD", keys.due}));
  asked.push_back(number_of(redis, keys.due, {"ZCOUNT", keys.due, "-inf", fmt::to_string(now.value)}));
  asked.push_back(late_by(redis, keys.due, now));
  asked.push_back(number_of(redis, keys.due, {"ZCARD", keys.dead}));
  auto const found = co_await when_all(std::move(asked));
  co_return DueSetView{.members = found[0],
                       .due = found[1],
                       .overdue_ms = std::max<std::int64_t>(0, found[2]),
                       .dead = found[3]};
}

// Members that were buried in the same millisecond have no position of their own in Redis. So those that an
// earlier page has shown are read again and skipped.
Task<DeadPage> list_dead(redis::Redis& redis, std::string due_set, std::optional<DeadPlace> after,
                         std::int64_t limit) {
  DueSetKeys const keys(std::move(due_set));
  auto const from = after ? fmt::to_string(after->buried_at.value) : std::string("-inf");
  auto const at_once = std::max(limit + 1, portion_min);
  auto const count = fmt::to_string(at_once);
  DeadPage page;
  for (std::int64_t offset = 0; !page.more;) {
    auto const skipped = fmt::to_string(offset);
    auto const found = co_await redis.command(
        redis::Use::read, keys.due,
        {"ZRANGEBYSCORE", keys.dead, from, "+inf", "WITHSCORES", "LIMIT", skipped, count});
    for (std::size_t i = 0; i + 1 < found.size() && !page.more; i += 2) {
      DeadMember member{.member = std::string(found.at(i).text()),
                        .buried_at = parse_due_time(found.at(i + 1).text()),
                        .why = {}};
      if (after && place_of(member) <= *after) continue;
      page.more =
          std::int64_t(page.members.size()) >= limit && place_of(member) != place_of(page.members.back());
      if (!page.more) page.members.push_back(std::move(member));
    }
    auto const got = std::int64_t(found.size() / 2);
    offset += got;
    if (got < at_once) break;
  }
  co_await add_reasons(redis, keys, page.members);
  co_return page;
}

Task<bool> drop_dead(redis::Redis& redis, std::string due_set, std::string member) {
  DueSetKeys const keys(std::move(due_set));
  auto const dropped = co_await redis.run(redis::Use::write, scripts::schedule_drop(keys, member));
  co_return dropped.integer() == 1;
}

}  // namespace larder::schedule
