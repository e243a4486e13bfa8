#include "edges/api/admin/forget_commands.hpp"

#include "base/number.hpp"
#include "edges/api/admin/export_document.hpp"
#include "edges/cli/command_redis.hpp"
#include "kit/accounts/account_table.hpp"
#include "kit/accounts/player_names.hpp"
#include "kit/events/privacy/forget_jobs.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <thread>

namespace larder::api {

namespace {

// People may give the name of an account, which no system knows as an id. Then nothing would be found, and
// all would seem well.
UserId user_named(cli::Context& context) {
  auto user = UserId::from(context.value("id"));
  if (!user) throw SetupError(fmt::format("the id {}", UserId::expectation()));
  auto const accounts = context.sql().read_now(
      [&](sql::Session& session) { return accounts::find_accounts_by_name(session, user->str(), 1); });
  if (!accounts.empty() && accounts::fold_name(accounts[0].username) == accounts::fold_name(user->str())) {
    throw SetupError(fmt::format("{} is the name of an account, and not an id: give its id, {}", user->str(),
                                 accounts[0].id.str()));
  }
  return std::move(*user);
}

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdout) std::fclose(file);
  }
};

using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

OpenFile open_output(std::string const& path) {
  auto* const file = path.empty() ? stdout : std::fopen(path.c_str(), "wxe");
  if (!file)
    throw SetupError(
        fmt::format("cannot write a new file {}: {}", path, std::generic_category().message(errno)));
  return OpenFile(file);
}

void write_piece(std::FILE* file, std::string_view piece) {
  if (std::fwrite(piece.data(), 1, piece.size(), file) != piece.size())
    throw SetupError("the export could not be written completely");
}

Task<bool> export_system(System& system, UserStores const& at, UserId user, ExportDocument& document) {
  document.begin_system(system.name());
  co_await system.export_user(at, std::move(user), [&](std::string_view section, json::object const& object) {
    document.add(section, object);
  });
  co_return true;
}

// A system that cannot be exported must not keep the others from being exported.
int export_user(cli::Context& context, std::vector<System*> const& systems) {
  auto const user = user_named(context);
  auto& sql = context.sql();
  cli::CommandRedis redis(context.config(), context.metrics(), cli::CommandRedis::If::it_runs_use_it);
  SystemClock const clock;
  UserStores const at{.config = context.config(),
                      .io = redis.io,
                      .redis = *redis,
                      .sql = sql,
                      .clock = clock,
                      .metrics = context.metrics()};
  auto const file = open_output(context.value("--output"));
  ExportDocument document(user, clock.now(),
                          [&file](std::string_view piece) { write_piece(file.get(), piece); });
  std::vector<std::string> missing;
  for (auto* const system : systems) {
    try {
      cli::run_here(redis.io, export_system(*system, at, user, document));
    } catch (std::exception const& error) {
      missing.push_back(fmt::format("{}: {}", system->name(), error.what()));
    }
  }
  document.end(missing);
  std::fflush(file.get());
  for (auto const& what : missing) fmt::print(stderr, "larder: not exported: {}\n", what);
  return missing.empty() ? 0 : 1;
}

std::optional<privacy::ForgetJob> job_of(sql::Database& sql, privacy::ForgetJob const& job,
                                         UserId const& user) {
  return sql.read_now([&](sql::Session& session) {
    auto found = privacy::find_forget_job(session, user);
    return found && found->pseudonym == job.pseudonym ? found : std::nullopt;
  });
}

int report(privacy::ForgetJob const& job) {
  fmt::print("the user is forgotten; journals and events have {} instead\n", job.pseudonym.str());
  for (auto const& what : job.uncovered) fmt::print("not covered: {}\n", what);
  return job.uncovered.empty() ? 0 : 1;
}

// A server does the work, because only servers know when events have reached SQL.
int forget_user(cli::Context& context) {
  auto const user = user_named(context);
  auto const wait_s = context.value("--wait").empty() ? 60 : parse_int(context.value("--wait")).value_or(-1);
  if (wait_s < 0 || wait_s > 86'400) throw SetupError("--wait must be 0 to 86400");
  auto& sql = context.sql();
  auto const now = SystemClock{}.now();
  auto job =
      sql.write_now([&](sql::Session& session) { return privacy::request_forget(session, user, now); });
  auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(wait_s);
  while (job.state != privacy::ForgetJob::State::finished && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    job = job_of(sql, job, user).value_or(job);
  }
  if (job.state == privacy::ForgetJob::State::finished) return report(job);
  fmt::print(
      stderr,
      "larder: not done yet: a running server forgets the user; run this command again to see whether it "
      "has\n");
  return 1;
}

cli::Option id_option() {
  return {.name = "id", .help = "the id of the user, in any system; not a name", .required = true};
}

}  // namespace

std::vector<cli::Command> forget_commands(std::vector<System*> const& systems) {
  return {
      {.name = "user export",
       .summary = "Writes everything that all systems have about a user as one JSON document.\n"
                  "The exit code is 1 if a system could not be read; the document names it",
       .example = "larder user export 80351110224678912 --output user.json",
       .options = {id_option(), {.name = "--output", .help = "a new file (default: standard output)"}},
       .run = [&systems](cli::Context& context) { return export_user(context, systems); }},
      {.name = "user forget",
       .summary = "Forgets a user in all systems. A running server does it, and this command\n"
                  "waits. Journals keep a pseudonym, so that sums stay as they are. This\n"
                  "cannot be undone. The exit code is 1 if it is not done yet or if anything\n"
                  "stays",
       .example = "larder user forget 80351110224678912",
       .options = {id_option(), {.name = "--wait", .help = "how many seconds to wait at most (default: 60)"}},
       .run = forget_user}};
}

}  // namespace larder::api
