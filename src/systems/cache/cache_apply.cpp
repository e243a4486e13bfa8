// Applies events: many at a time, in one read and one write.
#include "base/try.hpp"
#include "systems/cache/assemble.hpp"
#include "systems/cache/cache.hpp"
#include "systems/cache/writer.hpp"

#include <fmt/format.h>

namespace larder::cache {

namespace {

// A batch of several events has at most this much to write, so that it is one call of the script. One event
// may exceed it by itself.
constexpr std::size_t batch_words_max = 1000;
constexpr std::size_t batch_bytes_max = 192 * 1024;
constexpr std::size_t batch_events_max = 50;
constexpr std::size_t batch_events_min = 2;
constexpr std::size_t before_bytes_max = 8 * 1024 * 1024;  // of one answer
constexpr int conflicts_to_shrink = 5;                     // then only one event at a time

// READY carries the bot's session, and is not a change by itself.
bool is_told(CacheSetup const& setup, Dispatch const& dispatch) {
  return setup.feed[std::size_t(resource_of(dispatch.name))] && dispatch.name != "READY";
}

Changed changed_by(Dispatch const& dispatch, std::vector<std::string> const& before) {
  auto const resource = resource_of(dispatch.name);
  std::string text(dispatch.data);
  if (resource == Resource::interactions) {
    if (auto object = RawObject::parse(dispatch.data)) {
      object->erase("token");  // a secret: anybody who has it may answer
      text = object->text();
    }
  }
  return {
      .resource = resource, .event = std::string(dispatch.name), .object = std::move(text), .before = before};
}

}  // namespace

struct Cache::Event {
  std::size_t index = 0;
  std::string text;  // compact; the dispatch refers to it
  Dispatch dispatch;
};

struct Cache::Batch {
  std::size_t events = 0;  // that it has applied or refused
  std::vector<ApplyReport::Failure> failed = {};
  std::vector<ApplyReport::Before> before = {};
  std::vector<Changed> changed = {};
  std::vector<CascadeJob> jobs = {};
};

Task<Result<ApplyReport>> Cache::apply(std::span<std::string_view const> dispatches, ApplyOptions options) {
  struct Came {
    std::string name;
    std::int64_t shard = 0;
    std::optional<std::int64_t> sequence;
  };
  ApplyReport report;
  // Counted only when everything is written: a client that resumes at a sequence number must not lose events.
  std::vector<Came> came;
  std::vector<Event> events;
  events.reserve(dispatches.size());
  for (std::size_t i = 0; i < dispatches.size(); ++i) {
    auto text = compact(dispatches[i]);
    auto event = Event{.index = i, .text = text ? std::move(*text) : "", .dispatch = {}};
    auto const dispatch = text ? Dispatch::read(event.text) : std::unexpected(text.error());
    if (!dispatch) {
      report.failed.push_back({.index = i,
                               .code = std::string(errors::invalid_dispatch.name),
                               .detail = dispatch.error().detail,
                               .field = dispatch.error().field});
      continue;
    }
    auto const kind = kind_of(dispatch->name);
    came.push_back({.name = kind == EventKind::unknown ? "unknown" : std::string(dispatch->name),
                    .shard = dispatch->shard.value_or(0),
                    .sequence = dispatch->sequence});
    if (kind == EventKind::ignored) ++report.ignored;
    if (kind == EventKind::unknown) ++report.unknown[std::string(dispatch->name)];
    if (kind != EventKind::applied) continue;
    events.push_back(std::move(event));
    // A short text moves with its string, so the dispatch is read where the text stays.
    events.back().dispatch = Dispatch::read(events.back().text).value();
  }
  try {
    co_await apply_all(events, options, report);
  } catch (StoreError const& error) {
    if (!is_out_of_memory(error)) {
      if (report.applied == 0) throw;
      throw StoreError(error.what(), true, error.store());  // some events have been applied
    }
    co_return refuse(
        errors::cache_full,
        "the Redis of the cache has no memory left: raise cache.redis.memory_mb, or keep less. Some of "
        "the events may have been applied");
  }
  auto const now = shared_.clock.now();
  for (auto const& [name, shard, sequence] : came) {
    shared_.counts.count(name);
    if (sequence) shared_.counts.note(shard, *sequence, now);
  }
  std::ranges::sort(report.failed, {}, &ApplyReport::Failure::index);
  co_return report;
}

Task<void> Cache::apply_all(std::vector<Event> const& events, ApplyOptions options, ApplyReport& report) {
  std::span<Event const> rest(events);
  auto events_max = batch_events_max;
  std::size_t before_bytes = 0;
  while (!rest.empty()) {
    auto batch = co_await apply_batch(rest, events_max, options);
    // What a batch learns about events that do not fit into it is lost. So the next batch does not look much
    // further ahead.
    events_max = std::clamp(batch.events * 2, batch_events_min, batch_events_max);
    report.applied += batch.events - batch.failed.size();
    std::ranges::move(batch.failed, std::back_inserter(report.failed));
    for (auto& each : batch.before) {
      before_bytes += each.object.size();
      report.before_is_cut = report.before_is_cut || before_bytes > before_bytes_max;
      if (!report.before_is_cut) report.before.push_back(std::move(each));
    }
    rest = rest.subspan(batch.events);
    if (shared_.on_change && !batch.changed.empty()) shared_.on_change(batch.changed);
    for (auto& job : batch.jobs) co_await run_job(std::move(job));
  }
}

// Applies the first events: as many as fit into one write, and at least one.
Task<Cache::Batch> Cache::apply_batch(std::span<Event const> events, std::size_t events_max,
                                      ApplyOptions options) {
  for (int conflicts = 0; conflicts < conflicts_max; ++conflicts) {
    Workspace workspace(!redis_.is_cluster());
    auto batch =
        co_await plan_batch(workspace, events, conflicts < conflicts_to_shrink ? events_max : 1, options);
    switch (co_await write_changes(redis_, shared_.setup.keys, workspace)) {
      case Written::done: co_return batch;
      case Written::conflict:
      case Written::job_ended: break;
      case Written::job_pending: co_await run_required_jobs(workspace); break;
    }
  }
  throw StoreError("other writers keep changing the same objects", false);
}

Task<Cache::Batch> Cache::plan_batch(Workspace& workspace, std::span<Event const> events,
                                     std::size_t events_max, ApplyOptions options) {
  Objects objects(workspace, shared_.setup, shared_.clock.now());
  Batch batch;
  bool full = false;
  while (!full && batch.events < std::min(events.size(), events_max)) {
    // Events after one that lacks an answer are also tried, but only to learn what they will ask for.
    bool complete = true;
    for (auto at = batch.events; at < std::min(events.size(), events_max) && !full; ++at) {
      auto const& event = events[at];
      workspace.begin_event();
      bool const told = shared_.on_change && is_told(shared_.setup, event.dispatch);
      auto before = options.before || told ? before_of(workspace, objects.keys(), event.dispatch)
                                           : std::vector<std::string>();
      auto after = apply_event(objects, event.dispatch);
      complete = complete && workspace.complete();
      if (!complete || !after) workspace.take_back_event();
      if (!complete) continue;
      // An event whose removal needs a job is written alone. If it were written with the events before it and
      // cut off in between, the job would come before these events when they are applied again.
      bool const is_alone = after && !after->jobs.empty();
      full = is_alone || workspace.words() > batch_words_max || workspace.bytes() > batch_bytes_max;
      if (full && after && batch.events > 0) {
        workspace.take_back_event();
        break;
      }
      ++batch.events;
      if (!after) {
        batch.failed.push_back({.index = event.index,
                                .code = std::string(after.error().code.name),
                                .detail = std::move(after.error().detail),
                                .field = std::move(after.error().field)});
        continue;
      }
      if (told) batch.changed.push_back(changed_by(event.dispatch, before));
      if (options.before) {
        for (auto& object : before) batch.before.push_back({event.index, std::move(object)});
      }
      batch.jobs = std::move(after->jobs);
    }
    if (!complete) co_await load(redis_, workspace);
  }
  co_return batch;
}

Task<void> Cache::run_required_jobs(Workspace const& workspace) {
  for (auto const& [due_set, job, pending] : workspace.all_changes().required_jobs) {
    if (auto const parsed = CascadeJob::parse(job)) co_await run_job(*parsed);
  }
}

Task<void> Cache::run_job(CascadeJob job) {
  if (job.kind == CascadeJob::Kind::role) {
    co_await run_role_job(job);
    co_return;
  }
  auto keys_max = job_keys_max;
  for (auto written = Written::conflict; written != Written::job_ended;) {
    written = co_await write_job_step(job, keys_max);
    keys_max = written == Written::conflict ? std::max(keys_max / 2, job_keys_min)
                                            : std::min(keys_max * 2, job_keys_max);
  }
}

// Returns Written::job_ended if nothing is left to do.
Task<Written> Cache::write_job_step(CascadeJob const& job, std::size_t keys_max) {
  Workspace workspace(!redis_.is_cluster());
  Objects objects(workspace, shared_.setup, shared_.clock.now());
  bool is_last = false;
  do {
    workspace.forget_changes();
    Cascade cascade(objects, keys_max);
    is_last = run_step(cascade, job);
  } while (co_await load(redis_, workspace));
  auto const jobs = shared_.setup.keys.jobs();
  workspace.require_job(jobs, job.name());
  if (is_last) workspace.end_job(jobs, job.name());
  auto const written = co_await write_changes(redis_, shared_.setup.keys, workspace);
  co_return is_last&& written == Written::done ? Written::job_ended : written;
}

// If the process dies, the job begins again: taking a role out twice changes nothing.
Task<void> Cache::run_role_job(CascadeJob const& job) {
  auto const& keys = shared_.setup.keys;
  auto const members = keys.members(job.guild);
  std::string cursor = "0";
  do {
    auto const reply =
        co_await redis_.command(redis::Use::read, members, {"SSCAN", members, cursor, "COUNT", "200"});
    std::vector<std::string> users;
    for (std::size_t i = 0; i < reply.at(1).size(); ++i) users.emplace_back(reply.at(1).at(i).text());
    cursor = reply.at(0).text();
    for (auto written = Written::conflict; written != Written::done;) {
      Workspace workspace(!redis_.is_cluster());
      Objects objects(workspace, shared_.setup, shared_.clock.now());
      do {
        workspace.forget_changes();
        Cascade(objects).role(job.guild, job.id, users);
      } while (co_await load(redis_, workspace));
      written = co_await write_changes(redis_, shared_.setup.keys, workspace);
    }
  } while (cursor != "0");
  Workspace last(!redis_.is_cluster());
  last.remove(keys.gone_roles(job.guild), job.id, Role::index);
  last.end_job(keys.jobs(), job.name());
  co_await write_changes(redis_, keys, last);
}

}  // namespace larder::cache
