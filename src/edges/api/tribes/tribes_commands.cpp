#include "edges/api/tribes/tribes_commands.hpp"

#include "edges/cli/command_redis.hpp"
#include "edges/cli/progress_line.hpp"
#include "edges/cli/read_file.hpp"
#include "edges/cli/words.hpp"
#include "kit/accounts/account_keys.hpp"
#include "kit/accounts/account_rebuild.hpp"
#include "kit/accounts/account_table.hpp"
#include "kit/events/outbox_positions.hpp"
#include "kit/schedule/due_set.hpp"
#include "systems/tribes/audit/tribes_rebuild.hpp"
#include "systems/tribes/audit/tribes_verify.hpp"

#include <set>

namespace larder::api {

namespace {

using Redis = cli::CommandRedis;

// Includes worlds that only SQL knows, because a Redis that lost its data knows none. With `only`, just the
// world of that name. Throws SetupError if there is no such world.
Task<std::vector<tribes::WorldId>> worlds_of(redis::Redis& redis, tribes::TribesJournal& journal,
                                             std::string only) {
  std::set<tribes::WorldId> worlds;
  for (auto& id : co_await tribes::possible_worlds(redis, journal)) worlds.insert(std::move(id));
  auto const known =
      co_await redis.command(redis::Use::read, tribes::worlds_key, {"SMEMBERS", tribes::worlds_key});
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (auto id = tribes::WorldId::from(known.at(i).text())) worlds.insert(std::move(*id));
  }
  if (only.empty()) co_return std::vector(worlds.begin(), worlds.end());
  auto const named = tribes::WorldId::from(only);
  if (!named || !worlds.contains(*named)) throw SetupError(fmt::format("there is no world {}", only));
  co_return std::vector{*named};
}

Task<tribes::VerifyReport> verify_worlds(redis::Redis& redis, tribes::TribesJournal& journal,
                                         std::string only, tribes::VerifyOptions options) {
  co_return co_await tribes::verify(redis, journal, co_await worlds_of(redis, journal, std::move(only)),
                                    std::move(options));
}

// Whether the player's towns must be ruins: SQL says that the account was deleted, and nothing is left to do.
Task<bool> is_forgotten(redis::Redis& redis, sql::Database& sql, UserId user) {
  auto const row =
      co_await sql.read([user](sql::Session& session) { return accounts::find_account_row(session, user); });
  if (!row || !row->deleted_at) co_return false;
  auto const key = accounts::AccountKeys::deletions();
  auto const waiting = co_await redis.command(redis::Use::read, key, {"ZSCORE", key, user.str()});
  co_return waiting.is_nil();
}

int verify_tribes(cli::Context& context) {
  tribes::TribesJournal journal(context.sql());
  Redis redis(context.config(), context.metrics(), Redis::If::it_runs_use_it);
  cli::ProgressLine line;
  tribes::VerifyOptions const options{
      .difference =
          [&](std::string const& difference) {
            line.clear();
            fmt::print("{}\n", difference);
          },
      .progress =
          [&](tribes::VerifyReport const& so_far) {
            line.show([&](double seconds) {
              return fmt::format("{} events ({}), {} towns, {} differences", so_far.events,
                                 cli::per_second(so_far.events, seconds), so_far.towns, so_far.differences);
            });
          },
      .is_deleted = [&](UserId user) { return is_forgotten(*redis, context.sql(), std::move(user)); }};
  auto const report =
      cli::run_here(redis.io, verify_worlds(*redis, journal, context.value("--world"), options));
  line.clear();
  fmt::print("{}: played {} of {} again and compared {}\n", cli::differences(report.differences),
             cli::counted(report.events, "event"), cli::counted(report.worlds, "world"),
             cli::counted(report.towns, "town"));
  return report.differences == 0 ? 0 : 1;
}

int rebuild_tribes(cli::Context& context) {
  tribes::TribesJournal journal(context.sql());
  Redis redis(context.config(), context.metrics(), Redis::If::it_runs_refuse);
  SystemClock const clock;
  cli::ProgressLine line;
  auto const problem = [&](std::string const& what) {
    line.clear();
    fmt::print("{}\n", what);
  };
  auto& sql = context.sql();
  accounts::RebuildReport accounts;
  tribes::RebuildOptions const options{
      .problem = problem,
      .progress =
          [&](tribes::RebuildReport const& so_far) {
            line.show([&](double seconds) {
              return fmt::format("{} events ({}), {} towns", so_far.events,
                                 cli::per_second(so_far.events, seconds), so_far.towns);
            });
          },
      .more_is_lost = [&] { return accounts::is_incomplete(*redis, sql); },
      .rebuild_more = [&]() -> Task<void> {
        accounts = co_await accounts::rebuild(*redis, sql, clock, {.problem = problem, .progress = {}});
        co_await events::restore_outbox(*redis, sql, accounts::AccountKeys::outbox(), {});
      }};
  auto const report = cli::run_here(redis.io, tribes::rebuild(*redis, journal, clock, options));
  line.clear();
  fmt::print("rebuilt {} of {} from {}, and {}; {}\n", cli::counted(report.towns, "town"),
             cli::counted(report.worlds, "world"), cli::counted(report.events, "event"),
             cli::counted(accounts.accounts, "account"),
             cli::counted(report.problems + accounts.problems, "problem"));
  return report.problems + accounts.problems == 0 ? 0 : 1;
}

Task<int> print_dead(redis::Redis& redis, tribes::TribesJournal& journal, std::string only) {
  int count = 0;
  for (auto const& id : co_await worlds_of(redis, journal, std::move(only))) {
    tribes::WorldKeys const keys(id);
    for (auto const& set : {keys.updates(), keys.jobs()}) {
      for (auto const& dead : co_await schedule::dead_members(redis, set)) {
        fmt::print("{} {} {} {}\n", to_rfc3339(dead.buried_at), id.str(), dead.member, dead.why);
        ++count;
      }
    }
  }
  co_return count;
}

int list_dead(cli::Context& context) {
  tribes::TribesJournal journal(context.sql());
  Redis redis(context.config(), context.metrics(), Redis::If::it_runs_use_it);
  auto const count = cli::run_here(redis.io, print_dead(*redis, journal, context.value("--world")));
  if (count == 0) fmt::print("no town and no job of a world is dead\n");
  return 0;
}

Task<bool> requeue_one(redis::Redis& redis, tribes::TribesJournal& journal, std::string world,
                       std::string member) {
  tribes::WorldKeys const keys((co_await worlds_of(redis, journal, std::move(world))).front());
  auto const now = SystemClock().now();
  bool const town = co_await schedule::requeue(redis, keys.updates(), member, now);
  bool const job = co_await schedule::requeue(redis, keys.jobs(), member, now);
  co_return town || job;
}

int requeue(cli::Context& context) {
  tribes::TribesJournal journal(context.sql());
  Redis redis(context.config(), context.metrics(), Redis::If::it_runs_use_it);
  auto const world = context.value("world");
  if (world.empty()) throw SetupError("the name of the world is empty");
  auto const member = context.value("member");
  if (!cli::run_here(redis.io, requeue_one(*redis, journal, world, member)))
    throw SetupError(fmt::format("{} is not dead; `larder tribes dead` lists what is", member));
  fmt::print("{} of world {} is due again\n", member, world);
  return 0;
}

int check_rules(cli::Context& context) {
  auto const file = context.value("file");
  auto const rules = read_rules_file(file);
  fmt::print("{} is valid: the goal is {} coins\n", file, rules->goal_coins);
  return 0;
}

}  // namespace

tribes::RulesPtr read_rules_file(std::string const& file) {
  auto rules = tribes::parse_rules(cli::read_file(file, "rules"));
  if (!rules) throw SetupError(fmt::format("{}: {}", file, rules.error().detail));
  return std::make_shared<tribes::Rules const>(std::move(*rules));
}

std::vector<cli::Command> tribes_commands() {
  cli::Option const world{.name = "--world", .help = "only this world"};
  return {
      {.name = "tribes",
       .summary = "Compares the towns with their events, rebuilds them, and shows what is dead",
       .example = "larder tribes verify"},
      {.name = "tribes verify",
       .summary = "Plays every world again from its events, and compares the result with the towns in\n"
                  "Redis. Prints a line for each difference; the exit code is 1 if there is any. It may\n"
                  "run while servers are running",
       .example = "larder tribes verify --data /var/lib/larder",
       .options = {world},
       .run = verify_tribes},
      {.name = "tribes rebuild",
       .summary = "Fills a Redis that has lost its worlds and accounts from SQL. Stop all servers first.\n"
                  "Every player must log in again",
       .example = "larder tribes rebuild --data /var/lib/larder",
       .run = rebuild_tribes},
      {.name = "tribes dead",
       .summary = "Lists the towns and jobs that failed too often, with the reason",
       .example = "larder tribes dead --world default",
       .options = {world},
       .run = list_dead},
      {.name = "tribes requeue",
       .summary = "Lets a town or job that is dead be tried again",
       .example = "larder tribes requeue default c2e19af8q04s73f8j8lg",
       .options = {{.name = "world", .help = "the world", .required = true},
                   {.name = "member", .help = "the user or the job", .required = true}},
       .run = requeue},
      {.name = "tribes rules",
       .summary = "Checks a rules file and names the field that is wrong",
       .example = "larder tribes rules my-rules.json",
       .options = {{.name = "file", .help = "the rules, a JSON file", .required = true}},
       .takes_settings = false,
       .run = check_rules}};
}

}  // namespace larder::api
