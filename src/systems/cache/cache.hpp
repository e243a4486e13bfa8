// The Discord cache: what the gateway has told a bot, in Redis, for every process and language that wants it.
//
//   cache::Cache cache(redis, shared);
//   auto const report = co_await cache.apply(dispatches);
//   auto const member = co_await cache.get({.kind = ObjectKind::member, .guild = guild, .id = user});
#pragma once

#include "base/error.hpp"
#include "base/metrics.hpp"
#include "systems/cache/cache_errors.hpp"
#include "systems/cache/cache_types.hpp"
#include "systems/cache/events.hpp"

#include <functional>
#include <span>
#include <unordered_map>

namespace larder::cache {

enum class Written : std::uint8_t;

// What the caches of all threads of a process share.
struct CacheShared {
  CacheSetup setup;
  Clock const& clock;
  EventCounts& counts;  // thread-safe
  // Called after a change with what was changed, on the thread that made it. May be empty.
  std::function<void(std::vector<Changed> const&)> on_change = {};
};

// Thread-compatible, like the Redis it uses. Throws StoreError if Redis is unavailable.
class Cache {
 public:
  Cache(redis::Redis& redis, CacheShared const& shared) : redis_(redis), shared_(shared) {}

  // Applies events in their order. Each text is one dispatch, {t, d, s?, shard?}. A dispatch that is
  // malformed fails alone. Applying events again gives the same result, so a caller that gets a StoreError
  // may simply repeat the call. Refused with cache_full if Redis has no memory left; some of the events may
  // have been applied.
  Task<Result<ApplyReport>> apply(std::span<std::string_view const> dispatches, ApplyOptions options = {});

  // The JSON of an object, or nothing if it is not cached.
  Task<std::optional<std::string>> get(ObjectKey key, Form form = Form::whole);
  // The same for many objects, in one round trip or two.
  Task<std::vector<std::optional<std::string>>> lookup(std::span<ObjectKey const> keys,
                                                       Form form = Form::whole);
  // The objects of a collection, at most `limit`: by their ids, or the newest messages first. A set that may
  // be very large has its objects in portions, and they are in order only inside a portion; an object that is
  // added or removed meanwhile may be missing or come twice. Objects that have expired are left out, so a
  // page may be short, or even empty, although another page follows. Refuses a malformed cursor or id.
  Task<Result<ObjectPage>> list(Collection collection, PageQuery query, Form form = Form::whole);
  // Refused with not_cached if the guild, the member or the role @everyone is not cached, or the channel if
  // one was named.
  Task<Result<Permissions>> permissions(std::string guild, std::string user,
                                        std::optional<std::string> channel);

  // Stores what no event carries: an application, a ban with its reason, a command, a template, a webhook, a
  // welcome screen or a widget. `text` is the object in Discord's form. Refused with not_writable for other
  // kinds, and with not_kept if the settings say so.
  Task<Result<void>> put(ObjectKey key, std::string_view text);
  // The same kinds. Returns whether the object was cached.
  Task<Result<bool>> remove(ObjectKey key);

  // Does a job of the due set to its end, and removes it from the due set.
  Task<void> run_job(CascadeJob job);

 private:
  struct Event;
  struct Batch;
  Task<void> apply_all(std::vector<Event> const& events, ApplyOptions options, ApplyReport& report);
  Task<Batch> apply_batch(std::span<Event const> events, std::size_t events_max, ApplyOptions options);
  Task<Batch> plan_batch(Workspace& workspace, std::span<Event const> events, std::size_t events_max,
                         ApplyOptions options);
  // Plans changes and writes them in one step, again and again until nobody interferes.
  Task<Result<void>> change(std::function<Result<void>(Objects&)> plan);
  // The objects with these ids, without those that are not cached.
  Task<std::vector<std::string>> objects_of(Collection const& collection, std::vector<std::string> const& ids,
                                            Form form);
  Task<Result<ObjectPage>> list_names(Collection const& collection, PageQuery const& query, Form form);
  Task<Result<ObjectPage>> list_set(Collection const& collection, PageQuery const& query, Form form);
  Task<Result<ObjectPage>> list_messages(Collection const& collection, PageQuery const& query, Form form);
  Task<Result<ObjectPage>> list_reactions(Collection const& collection, PageQuery const& query);
  // Takes the ids of objects that do not exist out of an index.
  Task<void> drop_from_index(Collection const& collection, std::vector<ObjectKey> absent);
  // Does the jobs that the changes of this workspace have to wait for.
  Task<void> run_required_jobs(Workspace const& workspace);
  Task<Written> write_job_step(CascadeJob const& job, std::size_t keys_max);
  Task<void> run_role_job(CascadeJob const& job);

  redis::Redis& redis_;
  CacheShared const& shared_;
  std::unordered_map<std::string, TimeMs> absent_since_;  // by index and id
};

}  // namespace larder::cache
