#include "systems/cache/cache_background.hpp"

#include "base/log.hpp"
#include "base/when_all.hpp"
#include "systems/cache/snowflake.hpp"

#include <fmt/format.h>

#include <utility>

namespace larder::cache {

namespace {

constexpr auto tell_every = std::chrono::milliseconds(50);
constexpr auto count_every = std::chrono::seconds(1);
constexpr std::size_t untold_max = 10'000;
constexpr std::size_t told_bytes_max = 16 * 1024;  // of one event

// The user that an event is about, for the filter of the feed.
std::string user_in(RawObject const& d) {
  if (auto const id = id_in(d.find("user_id"))) return std::string(*id);
  for (std::string_view const name : {"user", "author"}) {
    auto const user = RawObject::parse(d.find(name));
    auto const id = user ? id_in(user->find("id")) : std::nullopt;
    if (id) return std::string(*id);
  }
  return {};
}

// {"resource", "guild_id", "object", "before"}. Large objects are left out: a client that wants them reads
// the cache.
events::FeedEvent to_feed_event(Changed const& changed, TimeMs now) {
  auto const d = RawObject::parse(changed.object);
  auto guild = d ? id_in(d->find("guild_id")) : std::nullopt;
  if (d && !guild && changed.resource == Resource::guilds) guild = id_in(d->find("id"));
  auto before = array_of({changed.before.begin(), changed.before.end()});
  bool const small = changed.object.size() + before.size() <= told_bytes_max;
  return {.system = Scope::discord,
          .type = changed.event,
          .user_id = d ? user_in(*d) : std::string(),
          .at = now,
          .data = fmt::format(R"({{"resource":"{}","guild_id":{},"object":{},"before":{}}})",
                              resource_name(changed.resource), guild ? fmt::format("\"{}\"", *guild) : "null",
                              small ? changed.object : "null", small ? before : "null")};
}

// The tasks run later, so they own their arguments.
Task<bool> add_count(redis::Redis& redis, std::string key, std::string name, std::int64_t count) {
  co_await redis.command(redis::Use::write, key, {"HINCRBY", key, name, std::to_string(count)});
  co_return true;
}

Task<bool> set_field(redis::Redis& redis, std::string key, std::string name, std::string value) {
  co_await redis.command(redis::Use::idempotent_write, key, {"HSET", key, name, value});
  co_return true;
}

}  // namespace

Background::Background(asio::io_context& io, redis::Redis& redis, redis::Redis& feed_redis,
                       Clock const& clock, Metrics& metrics, CacheSetup setup)
    : redis_(redis),
      metrics_(metrics),
      shared_{.setup = std::move(setup),
              .clock = clock,
              .counts = counts_,
              .on_change = [this](std::vector<Changed> const& changed) { tell(changed); }},
      cache_(redis, shared_),
      feed_(feed_redis),
      scheduler_(
          io, redis, clock, {.name = "cache", .sets = {shared_.setup.keys.jobs()}},
          [this](std::size_t, std::string member, TimeMs) -> Task<void> {
            auto job = CascadeJob::parse(member);
            if (!job) throw std::runtime_error(fmt::format("{} is not a job of the cache", member));
            co_await cache_.run_job(std::move(*job));
          },
          metrics),
      tasks_(io),
      lost_events_(metrics.counter("larder_cache_untold_events_total",
                                   "Events of Discord that the feed did not take, or not fast enough")) {
  if (shared_.setup.feed.none()) shared_.on_change = nullptr;
}

void Background::start() {
  scheduler_.start();
  tasks_.spawn(keep_counts());
  if (shared_.on_change) tasks_.spawn(tell_feed());
}

Task<void> Background::stop() {
  co_await scheduler_.stop();
  co_await tasks_.stop();
}

void Background::tell(std::vector<Changed> const& changed) {
  auto const now = shared_.clock.unchecked();
  std::lock_guard const lock(mutex_);
  for (auto const& each : changed) {
    if (untold_.size() < untold_max) {
      untold_.push_back(to_feed_event(each, now));
    } else {
      lost_events_.Increment();
    }
  }
}

Task<void> Background::tell_feed() {
  for (bool stopping = false; !stopping;) {
    stopping = tasks_.stopping();  // also tells what came before the end
    std::vector<events::FeedEvent> events;
    {
      std::lock_guard const lock(mutex_);
      events = std::exchange(untold_, {});
    }
    if (auto const count = events.size(); count > 0) {
      try {
        co_await feed_.tell(std::move(events));
      } catch (std::exception const& error) {
        lost_events_.Increment(double(count));
        log::warn("the feed did not take events of Discord", {{"events", count}, {"why", error.what()}});
      }
    }
    if (!stopping) co_await tasks_.sleep(tell_every);
  }
}

Task<void> Background::keep_counts() {
  for (bool stopping = false; !stopping;) {
    stopping = tasks_.stopping();
    try {
      co_await write_counts();
    } catch (std::exception const& error) {
      log::warn("could not write the counts of events", {{"why", error.what()}});
    }
    if (!stopping) co_await tasks_.sleep(count_every);
  }
}

// Counts that cannot be written are lost: they are only statistics.
Task<void> Background::write_counts() {
  auto const counted = counts_.take();
  auto const& keys = shared_.setup.keys;
  std::vector<Task<bool>> tasks;
  for (auto const& [name, count] : counted.events) {
    metrics_.counter("larder_cache_events_total", "Events of Discord, by name", {{"event", name}})
        .Increment(double(count));
    tasks.push_back(add_count(redis_, keys.counts(), name, count));
  }
  for (auto const& [shard, newest] : counted.shards) {
    tasks.push_back(set_field(redis_, keys.shards(), std::to_string(shard),
                              fmt::format("{}:{}", newest.sequence, newest.at.value)));
  }
  co_await when_all(std::move(tasks));
}

}  // namespace larder::cache
