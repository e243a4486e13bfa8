// Things that fall due, done by whichever Larder is alive.
#pragma once

#include "base/metrics.hpp"
#include "base/task_group.hpp"
#include "base/time.hpp"
#include "kit/schedule/due_set.hpp"
#include "stores/redis/redis.hpp"

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace larder::schedule {

struct SchedulerOptions {
  std::string name;               // of the metrics' label
  std::vector<std::string> sets;  // keys of the due sets; on a cluster each with its own hash tag
  int batch = 100;                // claimed at once, over all sets together
  std::chrono::milliseconds lease{30'000};
  std::chrono::milliseconds look_every{2'000};  // how often sets are looked at that nobody woke
  std::chrono::milliseconds retry_first{100};   // doubles with each failure
  std::chrono::milliseconds retry_max{60'000};
  int attempts_max = 20;  // then a member is buried
  int at_once = 32;       // handlers side by side
};

// Every Larder runs one over the same due sets. A system's script puts a member into a due set (ZADD, score =
// due time in ms) together with what it is about, and then wakes its own scheduler. A scheduler claims what
// is due, which moves it to the end of a lease, and gives each member to the handler. The script with which
// the handler commits its work removes the member or gives it its next due time (ZADD): finishing is part of
// the work, so no crash can part them. A handler that returns with its member still claimed gets it again
// when the lease is over.
//
// The lease only saves effort. Two handlers may have the same member: a lease may run out, a clock may jump,
// an answer may be lost, a script may reschedule a member in hand. The handler's commit script must notice
// that the work is done already (a revision, ZREM that returns 0) and change nothing: that is the fence.
// Within one scheduler a member is in one hand only, however long its handler takes.
//
// A handler that throws StoreError has met an outage: the member is retried with growing pauses for as long
// as it takes. Any other exception is a failed attempt; after attempts_max of them the member is buried in
// the dead set, with the reason, until somebody requeues it. A handler that returns forgets earlier attempts.
//
// A handler must end, and soon: at_once of them that hang are a scheduler that does nothing.
//
// Lives on one io_context; wake() may be called from any thread, while add() runs, too.
class Scheduler {
 public:
  // `set` is the index that add() gave; `due` is when it was due, or when its last lease or pause was over.
  using Handler = std::function<Task<void>(std::size_t set, std::string member, TimeMs due)>;

  Scheduler(asio::io_context& io, redis::Redis& redis, Clock const& clock, SchedulerOptions options,
            Handler handler, Metrics& metrics);
  ~Scheduler();

  // One more due set, before or after start(); each only once. Returns its index: those of the options come
  // first. What is in it already is found at the next look.
  std::size_t add(std::string set);
  void start();
  // Something in this set falls due then; call it after it was written. What nobody tells is found at the
  // next look.
  void wake(std::size_t set, TimeMs due);
  // Finishes what runs and ends; what was claimed but not begun gets its due time back.
  Task<void> stop();

 private:
  struct Set {
    DueSet due;
    TimeMs next;  // when something may be due, as far as is known
    bool draining = false;
    bool looking = false;
    int outages = 0;         // one after the other
    TimeMs rest_until = {};  // after an outage
    std::int64_t lag = 0;    // ms, and the dead, at the last look
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
    std::optional<TimeMs> due_again = {};  // claimed a second time meanwhile
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
  Task<void> handle(std::map<Key, Hand>::iterator place);
  Task<void> settle_done(Hand const& hand);
  Task<void> settle_outage(Hand const& hand, std::string_view why);
  Task<void> settle_failure(Hand const& hand, std::string_view why);
  Task<void> tell(Set& set, TimeMs lease_end, std::function<Task<void>()> redis);
  bool may_be_due(Set const& set) const;
  void learn(Set& set, TimeMs due);
  void rest(Set& set, std::string_view why);
  std::chrono::milliseconds pause_after(int failures) const;

  asio::io_context& io_;
  redis::Redis& redis_;
  Clock const& clock_;
  SchedulerOptions options_;
  Handler handler_;
  std::deque<Set> sets_;           // they stay where they are when one is added
  std::map<Key, Hand> in_hand_;    // what handlers are at
  std::map<Key, Outage> outages_;  // of members
  std::mutex mutex_;
  std::vector<std::pair<std::size_t, TimeMs>> told_;  // set and due time, by wake()
  TaskGroup tasks_;
  int draining_ = 0;  // sets
  Timer news_timer_;  // of work(); whoever has news cancels it
  Timer room_;        // of those who wait until a handler has ended

  prometheus::Counter& done_;
  prometheus::Counter& failures_;
  prometheus::Gauge& dead_;
  prometheus::Gauge& lag_seconds_;
};

}  // namespace larder::schedule
