// Does things when they are due, on whichever server is alive.
#pragma once

#include "base/metrics.hpp"
#include "base/task_group.hpp"
#include "base/time.hpp"
#include "kit/schedule/due_set.hpp"
#include "stores/redis/redis.hpp"

#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace larder::schedule {

struct SchedulerOptions {
  std::string name;               // the label `schedule` of the metrics
  std::vector<std::string> sets;  // keys of the due sets; on a cluster each needs a hash tag
  int batch = 100;                // members claimed at once, in all sets together; at most 1000
  std::chrono::milliseconds lease{30'000};
  std::chrono::milliseconds look_every{2'000};  // how often all sets are looked at
  std::chrono::milliseconds retry_first{100};   // doubles with each failure
  std::chrono::milliseconds retry_max{60'000};
  int attempts_max = 20;  // then a member moves to the dead set
  int at_once = 32;       // members that handlers have at the same time
  int group_max = 1;      // members that a GroupHandler gets at once
  // Whether another server may have written to a set: only then does a look include the set. Sets that have
  // never been looked at, and sets with members that are due or dead, are always included. Empty: all are.
  std::function<bool(std::size_t set)> looks_at = {};
};

// Every server runs a scheduler over the same due sets. A system's script adds a member to a due set (ZADD,
// score = due time in Unix ms) in the same step as the state that the member is about. Then the system wakes
// its own scheduler. A scheduler claims the members that are due, which sets their due time to the end of a
// lease, and gives each member to the handler. The handler commits its work with a script that also removes
// the member or sets its next due time (ZADD). So no crash can separate the work from its due time. If a
// handler returns and its member is still claimed, the member comes again when the lease ends.
//
// The lease only saves effort. Two handlers may have the same member: a lease may run out, a clock may jump,
// an answer may be lost, or a script may reschedule a claimed member. The handler's commit script must notice
// that the work is already done (by a revision, or a ZREM that returns 0) and change nothing: that is the
// fence. Within one scheduler, a member never has two handlers at once, however long a handler takes.
//
// If a handler throws StoreError, it has met an outage: the member is retried with growing pauses for as long
// as it takes. Any other exception is a failed attempt. After attempts_max failed attempts, the member is
// buried in the dead set, with the reason, until somebody requeues it. When a handler returns, the count of
// failed attempts is reset.
//
// While the clock cannot be trusted (Clock::problem), a scheduler claims nothing and postpones nothing: it
// would do work that is not due, or never do work that is. Members that it has claimed come again when the
// lease ends.
//
// A handler must end soon. If handlers with at_once members hang, the scheduler does nothing more.
//
// A scheduler belongs to one io_context. Any thread may call wake(), even while add() runs. Only the thread
// of the io_context may call the other functions.
class Scheduler {
 public:
  // `set` is the index that add() returned. `due` is when the member was due, or when its last lease
  // or pause ended.
  using Handler = std::function<Task<void>(std::size_t set, std::string member, TimeMs due)>;
  // The same for several members of one set. Returns why each of them failed, or null. If it throws, all of
  // them have failed.
  using Failures = std::vector<std::exception_ptr>;
  using GroupHandler = std::function<Task<Failures>(std::size_t set, std::vector<Claimed> members)>;

  Scheduler(asio::io_context& io, redis::Redis& redis, Clock const& clock, SchedulerOptions options,
            Handler handler, Metrics& metrics);
  Scheduler(asio::io_context& io, redis::Redis& redis, Clock const& clock, SchedulerOptions options,
            GroupHandler handler, Metrics& metrics);
  ~Scheduler();

  // Adds a due set, before or after start(). Add each set only once. Returns its index; the sets of the
  // options come first. Members that are already in the set are found at the next look.
  std::size_t add(std::string set);
  void start();
  // Tells the scheduler that a member of this set is due at `due`. Call it after the member was written.
  // Without this call, the next look finds the member.
  void wake(std::size_t set, TimeMs due);
  // Waits for the handlers that run, then ends. Members that were claimed but not begun get their
  // due times back.
  Task<void> stop();

 private:
  struct Set {
    DueSet due;
    TimeMs next;  // the earliest time when a member may be due, as far as we know
    bool draining = false;
    bool looking = false;
    bool looked_at = false;  // ever
    int outages = 0;         // in a row
    TimeMs rest_until = {};  // after an outage
    std::int64_t lag = 0;    // in ms; `lag`, `due_now` and `dead` are from the last look
    std::int64_t due_now = 0;
    std::int64_t dead = 0;
  };
  using Key = std::pair<std::size_t, std::string>;  // set, member
  struct Outage {
    int count = 0;
    TimeMs retry_at;
  };
  struct Hand {
    std::size_t set = 0;
    Claimed claimed = {};
    std::optional<TimeMs> due_again = {};  // set if claimed a second time meanwhile
  };

  Task<void> work();
  Task<void> watch();
  void hear();
  Task<void> look();
  Task<void> look_at(Set& set);
  Task<void> drain(std::size_t set);
  Task<std::vector<Claimed>> claim(std::size_t set);
  Task<void> have_room();
  Task<void> begin(std::size_t set, std::vector<Claimed> claimed);
  using Group = std::vector<std::map<Key, Hand>::iterator>;  // of one set
  Task<void> handle(Group group);
  Task<void> settle(Key const& key, Hand const& hand, std::exception_ptr const& failure);
  Task<void> settle_done(Hand const& hand);
  Task<void> settle_outage(Hand const& hand, std::string_view why);
  Task<void> settle_failure(Hand const& hand, std::string_view why);
  Task<void> tell(Set& set, TimeMs lease_end, std::function<Task<void>()> redis);
  bool may_be_due(Set const& set) const;
  bool rests(Set const& set) const;
  void learn(Set& set, TimeMs due);
  void rest(Set& set, std::string_view why);
  std::chrono::milliseconds pause_after(int failures) const;

  asio::io_context& io_;
  redis::Redis& redis_;
  Clock const& clock_;
  SchedulerOptions options_;
  GroupHandler handler_;
  std::deque<Set> sets_;           // a deque: add() does not move them
  std::map<Key, Hand> in_hand_;    // the members that handlers have
  std::map<Key, Outage> outages_;  // of members
  std::mutex mutex_;
  std::vector<std::pair<std::size_t, TimeMs>> told_;  // set and due time, from wake()
  TaskGroup tasks_;
  int draining_ = 0;  // sets
  Timer news_timer_;  // work() sleeps on it; news cancel it
  Timer room_;        // have_room() waits on it for the end of a handler

  prometheus::Counter& done_;
  prometheus::Counter& failures_;
  prometheus::Gauge& dead_;
  prometheus::Gauge& due_;
  prometheus::Gauge& lag_seconds_;
};

}  // namespace larder::schedule
