// Several shards send events at the same time, some of them twice, and some shards die in between. Afterwards
// every key in Redis must be what a model says.
#include "base/random.hpp"
#include "cache_workload/workload.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "systems/cache/cache.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <thread>

namespace larder::cache {
namespace {

// Many events in one request, while others change the same users, may take long, above all with a sanitizer.
constexpr std::chrono::minutes request_limit{10};

// One process of a bot.
class Sender {
 public:
  Sender(std::string const& url, CacheShared const& shared, Metrics& metrics)
      : shared_(shared),
        redis_(io_, {.url = redis::parse_url(url), .timeout = std::chrono::seconds(20)}, metrics),
        cache_(redis_, shared) {}

  // Returns how many events were refused.
  std::size_t send(Request const& request) {
    if (request.is_webhook) {
      auto const& text = request.dispatches.front();
      std::string const id(json::parse(text).at("id").as_string());
      larder::test::run(io_, cache_.put({.kind = ObjectKind::webhook, .id = id}, text)).value();
      return 0;
    }
    auto const report = larder::test::run(io_, cache_.apply(views(request)), request_limit);
    for (auto const& failure : report.value().failed) {
      ADD_FAILURE() << failure.detail << ": " << request.dispatches[failure.index];
    }
    return report.value().failed.size();
  }
  // Sends, and waits for so long that the events may have been applied or not. Then this object is of no use.
  void send_and_die(Request const& request, std::chrono::microseconds wait) {
    auto const dispatches = views(request);
    asio::co_spawn(io_, cache_.apply(dispatches), [](std::exception_ptr const&, auto const&) {});
    io_.run_for(wait);
  }
  // Does the jobs that dead processes have left.
  void finish_jobs() { larder::test::run(io_, run_jobs(), request_limit); }
  Snapshot snapshot() { return larder::test::run(io_, take_snapshot(redis_), request_limit); }

 private:
  std::span<std::string_view const> views(Request const& request) {
    views_.assign(request.dispatches.begin(), request.dispatches.end());
    return views_;
  }
  Task<void> run_jobs() {
    auto const key = shared_.setup.keys.jobs();
    auto const jobs = co_await redis_.command(redis::Use::read, key, {"ZRANGE", key, "0", "-1"});
    for (std::size_t i = 0; i < jobs.size(); ++i)
      co_await cache_.run_job(CascadeJob::parse(jobs.at(i).text()).value());
  }

  CacheShared const& shared_;
  std::vector<std::string_view> views_;
  asio::io_context io_{1};
  redis::Redis redis_;
  Cache cache_;
};

class Workload {
 public:
  explicit Workload(std::string url) : url_(std::move(url)) {}

  // On a cluster, an event is written in several steps. If another shard changes the same user in between,
  // the event is applied again, and a member may count twice or not at all. So `exact_counts` is false there.
  void run(PlanOptions const& options, bool exact_counts) {
    SCOPED_TRACE(fmt::format("LARDER_SEED={}", options.seed));
    auto plan = draw_plan(options);
    std::cout << fmt::format("seed {}: {} events, {} deaths, {} keys\n", options.seed, plan.events,
                             plan.deaths, plan.expected.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < plan.shards.size(); ++i) {
      threads.emplace_back([&, i] { send_all(plan.shards[i], {options.seed + i}); });
    }
    for (auto& thread : threads) thread.join();
    Sender last(url_, shared_, metrics_);
    last.finish_jobs();
    auto found = last.snapshot();
    if (!exact_counts) {
      for (auto* const keys : {&plan.expected, &found}) forget_member_counts(*keys);
    }
    auto const wrong = differences(plan.expected, found);
    EXPECT_TRUE(wrong.empty()) << wrong;
  }

 private:
  static void forget_member_counts(Snapshot& keys) {
    for (auto& [name, content] : keys) {
      if (name.starts_with("guilds:")) content.as_object().erase("member_count");
    }
  }
  void send_all(std::vector<Request> const& requests, Seed seed) try {
    Random random(seed);
    auto sender = std::make_unique<Sender>(url_, shared_, metrics_);
    for (auto const& request : requests) {
      if (request.dies) {
        sender->send_and_die(request, std::chrono::microseconds(random.below(20'000)));
        sender = std::make_unique<Sender>(url_, shared_, metrics_);
      }
      sender->send(request);
    }
  } catch (std::exception const& error) {
    ADD_FAILURE() << error.what();
  }

  std::string url_;
  Metrics metrics_;
  TestClock clock_{{1'800'000'000'000}};
  EventCounts counts_;
  CacheShared const shared_{
      .setup = {.keys = CacheKeys("drc", "v1"), .keep = {}}, .clock = clock_, .counts = counts_};
};

PlanOptions options_of_this_run() {
  auto const* const given = std::getenv("LARDER_SEED");
  PlanOptions options{.seed = given ? std::stoull(given) : random_seed().value % 1'000'000'000};
  if (std::getenv("LARDER_LONG")) {
    options.shards = 8;
    options.events = 100'000;
  }
  return options;
}

TEST(CacheWorkload, shards_at_once_leave_on_one_redis_what_the_model_says) {
  larder::test::RedisServer const server({.check_keys = false});
  Workload(server.url()).run(options_of_this_run(), true);
}

TEST(CacheWorkload, shards_at_once_leave_on_a_cluster_what_the_model_says) {
  larder::test::RedisCluster const cluster({.check_keys = false});
  auto options = options_of_this_run();
  options.events /= 2;
  Workload(cluster.url()).run(options, false);
}

}  // namespace
}  // namespace larder::cache
