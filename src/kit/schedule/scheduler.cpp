#include "kit/schedule/scheduler.hpp"

#include "base/error.hpp"
#include "base/log.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>

namespace larder::schedule {

namespace {

constexpr TimeMs never{std::numeric_limits<std::int64_t>::max()};
constexpr int batch_max = 1000;  // well below what a script can unpack
// With any number of sets, looking at them costs at most two thousand small commands a second.
constexpr std::size_t looks_at_once = 256;
constexpr auto look_pause = std::chrono::milliseconds(250);

Scheduler::GroupHandler one_by_one(Scheduler::Handler handler) {
  return [handler = std::move(handler)](std::size_t set,
                                        std::vector<Claimed> members) -> Task<Scheduler::Failures> {
    LARDER_ASSERT(members.size() == 1);
    co_await handler(set, std::move(members[0].member), members[0].due);
    co_return Scheduler::Failures(1);
  };
}

}  // namespace

Scheduler::Scheduler(asio::io_context& io, redis::Redis& redis, Clock const& clock, SchedulerOptions options,
                     Handler handler, Metrics& metrics)
    : Scheduler(io, redis, clock, std::move(options), one_by_one(std::move(handler)), metrics) {}

Scheduler::Scheduler(asio::io_context& io, redis::Redis& redis, Clock const& clock, SchedulerOptions options,
                     GroupHandler handler, Metrics& metrics)
    : io_(io),
      redis_(redis),
      clock_(clock),
      options_(std::move(options)),
      handler_(std::move(handler)),
      tasks_(io),
      news_timer_(io),
      room_(io, Timer::time_point::max()),
      done_(metrics.counter("larder_scheduled_done_total", "Handlers that did what was due",
                            {{"schedule", options_.name}})),
      failures_(metrics.counter("larder_scheduled_failures_total",
                                "Handlers that failed, or met an outage, and are tried again",
                                {{"schedule", options_.name}})),
      dead_(metrics.gauge("larder_scheduled_dead", "Members that failed too often and are tried no more",
                          {{"schedule", options_.name}})),
      due_(metrics.gauge("larder_schedule_due", "Members that are due and that nobody has claimed",
                         {{"schedule", options_.name}})),
      lag_seconds_(metrics.gauge("larder_schedule_lag_seconds",
                                 "For how long the oldest member that nobody has claimed has been due",
                                 {{"schedule", options_.name}})) {
  LARDER_ASSERT(options_.batch > 0 && options_.batch <= batch_max && options_.at_once > 0);
  LARDER_ASSERT(options_.group_max > 0);
  for (auto const& set : options_.sets) add(set);
}

Scheduler::~Scheduler() = default;

std::size_t Scheduler::add(std::string set) {
  sets_.push_back({.due = DueSet(redis_, std::move(set)), .next = never});
  return sets_.size() - 1;
}

void Scheduler::start() {
  tasks_.spawn(work());
  tasks_.spawn(watch());
}

void Scheduler::wake(std::size_t set, TimeMs due) {
  {
    std::lock_guard const lock(mutex_);
    told_.emplace_back(set, due);
    if (told_.size() > 1) return;  // the first one has already posted hear()
  }
  asio::post(io_, [this] { hear(); });
}

void Scheduler::hear() {
  std::vector<std::pair<std::size_t, TimeMs>> told;
  {
    std::lock_guard const lock(mutex_);
    told.swap(told_);
  }
  for (auto const& [set, due] : told) learn(sets_[set], due);
}

Task<void> Scheduler::stop() {
  tasks_.ask_to_stop();
  room_.cancel();
  co_await tasks_.stop();
}

Task<void> Scheduler::have_room() {
  boost::system::error_code woken;
  while (!tasks_.stopping() && int(in_hand_.size()) >= options_.at_once) {
    co_await room_.async_wait(asio::redirect_error(use_task, woken));
  }
}

// work() waits for nothing but its timer, so cancelling the timer always wakes it.
void Scheduler::learn(Set& set, TimeMs due) {
  if (set.next <= due) return;
  set.next = due;
  news_timer_.cancel();
}

bool Scheduler::may_be_due(Set const& set) const {
  return set.next <= clock_.unchecked() && !rests(set) && clock_.problem().empty();
}

// No rest is longer than the time between two looks. If this one seems to be, the clock has jumped back.
bool Scheduler::rests(Set const& set) const {
  auto const left = set.rest_until - clock_.unchecked();
  return left > 0 && left <= options_.look_every.count();
}

std::chrono::milliseconds Scheduler::pause_after(int failures) const {
  auto pause = options_.retry_first;
  for (int i = 1; i < failures && pause < options_.retry_max; ++i) pause *= 2;
  return std::min(pause, options_.retry_max);
}

// Drains every set that may have a member due, and sleeps until the next set may have one.
Task<void> Scheduler::work() {
  while (!tasks_.stopping()) {
    auto const now = clock_.unchecked();
    auto until = now + options_.look_every.count();
    bool const trusted = clock_.problem().empty();
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      auto& set = sets_[i];
      if (set.draining) continue;  // drain() wakes us when it is done
      if (may_be_due(set)) {
        set.draining = true;
        ++draining_;
        tasks_.spawn(drain(i));
      } else if (trusted) {
        until = std::min(until, std::max(set.rest_until, set.next));
      }
    }
    co_await tasks_.sleep_on(news_timer_, std::chrono::milliseconds(until - now));
  }
}

// Each set has its own coroutine, so a set whose Redis is unavailable waits alone.
Task<void> Scheduler::drain(std::size_t index) {
  auto& set = sets_[index];
  while (!tasks_.stopping() && may_be_due(set)) {
    // Resets `next` before the claim: a time that learn() sets from here on may be newer than the claim.
    auto const known = std::exchange(set.next, never);
    try {
      co_await begin(index, co_await claim(index));
    } catch (std::exception const& error) {
      learn(set, known);
      rest(set, error.what());
    }
  }
  set.draining = false;
  --draining_;
  // Posted, because a drain() that never had to wait runs inside work(), which does not sleep yet.
  asio::post(io_, [this] { news_timer_.cancel(); });
}

Task<std::vector<Claimed>> Scheduler::claim(std::size_t index) {
  auto& set = sets_[index];
  // The sets share a batch, so that few members wait for a handler while their lease runs, and other
  // servers find work.
  auto const count = std::max(1, options_.batch / draining_);
  auto claims = co_await set.due.claim(clock_.now(), options_.lease, count);
  if (claims.next) learn(set, *claims.next);
  if (claims.members.empty()) set.outages = 0;
  co_return std::move(claims.members);
}

// Returns when all members have begun, not when they are done: a slow handler does not hold up the others.
Task<void> Scheduler::begin(std::size_t index, std::vector<Claimed> claimed) {
  auto& set = sets_[index];
  Group group;
  auto const begin_group = [&] {
    if (!group.empty()) tasks_.spawn(handle(std::exchange(group, {})));
  };
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    auto const busy = in_hand_.find({index, claimed[i].member});
    if (busy != in_hand_.end()) {
      busy->second.claimed.lease_end = claimed[i].lease_end;
      busy->second.due_again = claimed[i].due;
      continue;
    }
    if (int(in_hand_.size()) >= options_.at_once) begin_group();
    co_await have_room();
    bool const trusted = clock_.problem().empty();
    if (tasks_.stopping() || rests(set) || !trusted || claimed[i].lease_end <= clock_.unchecked()) {
      begin_group();
      auto const rest = std::span(claimed).subspan(i);
      for (auto const& each : rest) learn(set, each.due);
      co_await tell(set, claimed[i].lease_end, [&] { return set.due.give_back(rest); });
      co_return;
    }
    Key key{index, claimed[i].member};
    Hand hand{.set = index, .claimed = std::move(claimed[i])};
    group.push_back(in_hand_.emplace(std::move(key), std::move(hand)).first);
    if (int(group.size()) == options_.group_max) begin_group();
  }
  begin_group();
}

Task<void> Scheduler::handle(Group group) {
  std::vector<Claimed> members;
  for (auto const& place : group) members.push_back(place->second.claimed);
  Failures failures;
  try {
    failures = co_await handler_(group.front()->second.set, std::move(members));
    LARDER_ASSERT(failures.size() == group.size());
  } catch (...) {
    failures.assign(group.size(), std::current_exception());
  }
  std::vector<std::map<Key, Hand>::node_type> ended;
  for (auto const& place : group) {
    ended.push_back(in_hand_.extract(place));
    room_.cancel_one();
  }
  for (std::size_t i = 0; i < ended.size(); ++i) {
    co_await settle(ended[i].key(), ended[i].mapped(), failures[i]);
  }
}

Task<void> Scheduler::settle(Key const& key, Hand const& hand, std::exception_ptr const& failure) {
  bool outage = false;
  std::string why;
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (StoreError const& error) {
    outage = true;
    why = error.what();
  } catch (std::exception const& error) {
    why = error.what();
  }
  if (outage) {
    co_await settle_outage(hand, why);
    co_return;
  }
  outages_.erase(key);
  sets_[hand.set].outages = 0;
  if (failure) {
    co_await settle_failure(hand, why);
  } else {
    co_await settle_done(hand);
  }
}

Task<void> Scheduler::settle_done(Hand const& hand) {
  auto& set = sets_[hand.set];
  done_.Increment();
  if (hand.claimed.attempts > 0) {
    co_await tell(set, hand.claimed.lease_end, [&] { return set.due.forget_failures(hand.claimed.member); });
  }
  // The member had a new due time of its own, and we took that for a lease that had run out. Restore it.
  if (hand.due_again) {
    co_await tell(set, hand.claimed.lease_end,
                  [&] { return set.due.postpone(hand.claimed, *hand.due_again); });
    learn(set, *hand.due_again);
  }
}

Task<void> Scheduler::settle_outage(Hand const& hand, std::string_view why) {
  auto& set = sets_[hand.set];
  failures_.Increment();
  rest(set, why);
  if (!clock_.problem().empty()) co_return;  // the member is due again when the lease ends
  auto& outage = outages_[{hand.set, hand.claimed.member}];
  auto const retry_at = clock_.unchecked() + pause_after(++outage.count).count();
  outage.retry_at = retry_at;
  co_await tell(set, hand.claimed.lease_end, [&] { return set.due.postpone(hand.claimed, retry_at); });
  learn(set, retry_at);
}

Task<void> Scheduler::settle_failure(Hand const& hand, std::string_view why) {
  auto& set = sets_[hand.set];
  failures_.Increment();
  if (!clock_.problem().empty()) co_return;  // the member is due again when the lease ends
  auto const now = clock_.unchecked();
  auto const retry_at = now + pause_after(hand.claimed.attempts + 1).count();
  int attempts = 0;
  co_await tell(set, hand.claimed.lease_end, [&]() -> Task<void> {
    attempts = co_await set.due.fail(hand.claimed, options_.attempts_max, retry_at, now, why);
  });
  bool const buried = attempts >= options_.attempts_max;
  log::warn(buried ? "scheduled work failed too often and is buried" : "scheduled work failed",
            {{"schedule", options_.name},
             {"set", set.due.key()},
             {"member", hand.claimed.member},
             {"attempts", attempts},
             {"why", why}});
  if (!buried) learn(set, retry_at);
}

// While Redis is unavailable, tries again until the lease ends: then the member is due anyway.
Task<void> Scheduler::tell(Set& set, TimeMs lease_end, std::function<Task<void>()> redis) {
  for (;;) {
    try {
      co_await redis();
      co_return;
    } catch (StoreError const& error) {
      rest(set, error.what());
    } catch (std::exception const& error) {
      rest(set, error.what());
      co_return;
    }
    if (tasks_.stopping() || clock_.unchecked() >= lease_end) co_return;
    co_await tasks_.sleep(options_.retry_first);
  }
}

// An unavailable store fails many members at once. Trying more of them would not bring it back,
// so the set rests.
void Scheduler::rest(Set& set, std::string_view why) {
  if (rests(set)) return;
  set.rest_until = clock_.unchecked() + std::min(pause_after(++set.outages), options_.look_every).count();
  if (set.outages > 1) return;  // told already
  log::warn("scheduled work waits", {{"schedule", options_.name}, {"set", set.due.key()}, {"why", why}});
}

Task<void> Scheduler::watch() {
  while (!tasks_.stopping()) {
    auto const begin = std::chrono::steady_clock::now();
    co_await look();
    co_await tasks_.sleep_until(begin, options_.look_every);
  }
}

// Finds members that other servers, maybe dead ones, have left, and members for which nobody called wake().
// Does not wait for answers: a Redis that is unavailable holds up only its own sets.
Task<void> Scheduler::look() {
  std::int64_t lag = 0;
  std::int64_t due = 0;
  std::int64_t dead = 0;
  std::size_t looks = 0;
  for (std::size_t i = 0; i < sets_.size() && !tasks_.stopping(); ++i) {
    auto& set = sets_[i];
    lag = std::max(lag, set.lag);
    due += set.due_now;
    dead += set.dead;
    bool const quiet = set.looked_at && set.lag == 0 && set.dead == 0 && set.next > clock_.unchecked();
    if (quiet && options_.looks_at && !options_.looks_at(i)) continue;
    if (std::exchange(set.looking, true)) continue;
    tasks_.spawn(look_at(set));
    if (++looks % looks_at_once == 0) co_await tasks_.sleep(look_pause);
  }
  lag_seconds_.Set(double(lag) / 1000.0);
  due_.Set(double(due));
  dead_.Set(double(dead));
  // Drops old outages, because another server may have done the work.
  auto const forgotten = clock_.unchecked() + -(options_.lease + options_.retry_max).count();
  std::erase_if(outages_, [&](auto const& entry) { return entry.second.retry_at < forgotten; });
}

Task<void> Scheduler::look_at(Set& set) {
  try {
    auto const head = co_await set.due.head();
    if (clock_.problem().empty()) {
      set.lag = head ? std::max<std::int64_t>(0, clock_.unchecked() - *head) : 0;
    }
    if (head) learn(set, *head);
    // A set in which nothing is late costs no further command.
    set.due_now = set.lag > 0 ? co_await set.due.count_due(clock_.unchecked()) : 0;
    set.dead = co_await set.due.count_dead();
    set.looked_at = true;
  } catch (std::exception const& error) {
    log::debug("a due set cannot be looked at", {{"set", set.due.key()}, {"why", error.what()}});
  }
  set.looking = false;
}

}  // namespace larder::schedule
