#include "edges/api/admin/forget_runner.hpp"

#include "base/log.hpp"
#include "base/random.hpp"
#include "kit/events/privacy/aof.hpp"
#include "stores/redis/url.hpp"

#include <algorithm>

namespace larder::api {

namespace {

constexpr auto look_for_jobs_every = std::chrono::seconds(1);
constexpr auto renew_every = std::chrono::seconds(3);
constexpr std::int64_t lease_ms = 15'000;
constexpr std::int64_t pause_after_failure_ms = 2'000;

struct Waiting {
  std::int64_t finished = 0;
  bool any = false;
};

Waiting read_waiting(sql::Session& session) {
  return {.finished = privacy::count_finished_jobs(session),
          .any = !session.query("SELECT 1 FROM privacy_forget WHERE state <> 'finished' LIMIT 1").empty()};
}

}  // namespace

ForgetRunner::ForgetRunner(Process const& process, std::vector<System*> systems)
    : process_(process), systems_(std::move(systems)), owner_(random_hex(16)), tasks_(process.io) {}

void ForgetRunner::start() {
  tasks_.spawn(watch());
  tasks_.spawn(keep_lease());
}

Task<void> ForgetRunner::watch() {
  while (!tasks_.stopping()) {
    try {
      co_await look();
      last_failure_.clear();
    } catch (std::exception const& error) {
      if (last_failure_ != error.what()) log::warn("a user is not forgotten yet", {{"why", error.what()}});
      last_failure_ = error.what();
    }
    co_await tasks_.sleep(look_for_jobs_every);
  }
}

Task<void> ForgetRunner::look() {
  auto const waiting = co_await process_.sql.read(read_waiting);
  if (waiting.finished != std::exchange(finished_, waiting.finished)) drop_memory();
  if (!waiting.any) co_return;
  auto const now = process_.clock.now();
  auto const job = co_await process_.sql.write([owner = owner_, now](sql::Session& session) {
    return privacy::claim_forget_job(session, owner, now, lease_ms);
  });
  if (!job) co_return;
  working_on_ = job->pseudonym;
  std::exception_ptr failure;
  try {
    co_await work(*job);
  } catch (...) {
    failure = std::current_exception();
  }
  working_on_.reset();
  auto const until = failure ? process_.clock.unchecked() + pause_after_failure_ms : TimeMs{};
  co_await process_.sql.write([pseudonym = job->pseudonym, owner = owner_, until](sql::Session& session) {
    privacy::release_forget_job(session, pseudonym, owner, until);
  });
  if (failure) std::rethrow_exception(failure);
}

Task<void> ForgetRunner::keep_lease() {
  while (!tasks_.stopping()) {
    co_await tasks_.sleep(renew_every);
    if (!working_on_) continue;
    try {
      co_await process_.sql.write(
          [pseudonym = *working_on_, owner = owner_, now = process_.clock.now()](sql::Session& session) {
            return privacy::renew_forget_job(session, pseudonym, owner, now, lease_ms);
          });
    } catch (std::exception const& error) {  // steps can be repeated, so two servers do no harm
      log::warn("a lease was not renewed", {{"why", error.what()}});
    }
  }
}

Task<void> ForgetRunner::work(privacy::ForgetJob job) {
  if (job.state == privacy::ForgetJob::State::running) co_await let_systems_forget(job);
  if (!tasks_.stopping()) co_await clean(std::move(job));
}

Task<void> ForgetRunner::let_systems_forget(privacy::ForgetJob job) {
  UserStores const at{.config = process_.config,
                      .io = process_.io,
                      .redis = process_.redis,
                      .sql = process_.sql,
                      .clock = process_.clock,
                      .metrics = process_.metrics};
  privacy::Subject const subject{.user = job.user.value(), .pseudonym = job.pseudonym};
  for (auto* const system : systems_) {
    if (std::ranges::find(job.done, system->name()) != job.done.end()) continue;
    if (tasks_.stopping()) co_return;
    auto const uncovered = co_await system->forget_user(at, subject);
    co_await process_.sql.write(
        [pseudonym = job.pseudonym, name = system->name(), uncovered](sql::Session& session) {
          privacy::note_system_done(session, pseudonym, name, uncovered);
        });
  }
  co_await process_.sql.write(
      [pseudonym = job.pseudonym](sql::Session& session) { privacy::begin_cleaning(session, pseudonym); });
  log::info("a user is forgotten", {{"pseudonym", job.pseudonym.str()}});
}

// The id is out of all tables and keys. Its old bytes may still be in files.
Task<void> ForgetRunner::clean(privacy::ForgetJob job) {
  drop_memory();
  co_await process_.sql.write([](sql::Session& session) { session.wipe_after_commit(); });
  if (redis::parse_url(process_.config.redis.url).embedded)
    co_await privacy::rewrite_aof(process_.redis, tasks_);
  for (auto* const system : systems_) co_await system->clean_files(tasks_);
  auto const now = process_.clock.now();
  co_await process_.sql.write([pseudonym = job.pseudonym, now](sql::Session& session) {
    privacy::finish_forget_job(session, pseudonym, now);
  });
}

void ForgetRunner::drop_memory() {
  for (auto* const system : systems_) system->drop_memory();
}

}  // namespace larder::api
