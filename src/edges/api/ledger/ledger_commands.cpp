#include "edges/api/ledger/ledger_commands.hpp"

#include "edges/cli/command_redis.hpp"
#include "edges/cli/progress_line.hpp"
#include "edges/cli/words.hpp"
#include "systems/ledger/audit/ledger_rebuild.hpp"
#include "systems/ledger/audit/ledger_verify.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

// What both commands work with.
struct Workplace {
  Workplace(cli::Context& context, LedgerSystem::Values const& values, cli::CommandRedis::If if_it_runs)
      : journal(context.sql(), values.flow_tables),
        redis(context.config(), context.metrics(), if_it_runs),
        keys(values.key_format, (*redis).is_cluster()) {}

  ledger::Journal journal;
  cli::CommandRedis redis;
  SystemClock clock;
  ledger::Keys keys;
  cli::ProgressLine line;
};

Task<bool> check_key_layout(Workplace& at) {
  co_await at.journal.check_key_layout(at.keys.layout());
  co_return true;
}

int verify_ledger(cli::Context& context, LedgerSystem::Values const& values) {
  Workplace at(context, values, cli::CommandRedis::If::it_runs_use_it);
  cli::run_here(at.redis.io, check_key_layout(at));
  ledger::VerifyOptions const options{
      .difference =
          [&](std::string const& difference) {
            at.line.clear();
            fmt::print("{}\n", difference);
          },
      .progress =
          [&](ledger::VerifyReport const& so_far) {
            at.line.show([&](double seconds) {
              return fmt::format("{} flows ({}), {} accounts, {} orders; {} keys of Redis; {} differences",
                                 so_far.flows, cli::per_second(so_far.flows, seconds), so_far.accounts,
                                 so_far.orders, so_far.keys, so_far.differences);
            });
          }};
  auto const report =
      cli::run_here(at.redis.io, ledger::verify(*at.redis, at.journal, at.keys, at.clock, options));
  at.line.clear();
  fmt::print("{}: compared {}, {} and {} with Redis, and {} of Redis with the journal\n",
             cli::differences(report.differences), cli::counted(report.flows, "flow"),
             cli::counted(report.accounts, "account"), cli::counted(report.orders, "order"),
             cli::counted(report.keys, "key"));
  return report.differences == 0 ? 0 : 1;
}

int rebuild_ledger(cli::Context& context, LedgerSystem::Values const& values) {
  Workplace at(context, values, cli::CommandRedis::If::it_runs_refuse);
  ledger::RebuildOptions const options{
      .order_shards = values.order_shards,
      .problem =
          [&](std::string const& problem) {
            at.line.clear();
            fmt::print(stderr, "{}\n", problem);
          },
      .progress =
          [&](ledger::RebuildReport const& so_far) {
            at.line.show([&](double seconds) {
              return fmt::format("{} flows ({}), {} accounts, {} orders", so_far.flows,
                                 cli::per_second(so_far.flows, seconds), so_far.accounts, so_far.orders);
            });
          }};
  auto const report =
      cli::run_here(at.redis.io, ledger::rebuild(*at.redis, at.journal, at.keys, at.clock, options));
  at.line.clear();
  fmt::print("rebuilt {} and {} from {}\n", cli::counted(report.accounts, "account"),
             cli::counted(report.orders, "order"), cli::counted(report.flows, "flow"));
  if (report.problems > 0) {
    fmt::print("the journal contradicts itself in {}; there the later flow counts\n",
               cli::counted(report.problems, "place"));
  }
  return 0;
}

}  // namespace

std::vector<cli::Command> ledger_commands(LedgerSystem::Values const& values) {
  return {
      {.name = "ledger",
       .summary = "Compares Redis with the journal, or rebuilds Redis from the journal",
       .example = "larder ledger verify --data /var/lib/larder"},
      {.name = "ledger verify",
       .summary = "Compares every balance, lot, hold and order in Redis with the journal,\n"
                  "and the journal with itself. Prints a line for each difference; the exit\n"
                  "code is 1 if there is any. It may run while servers are running",
       .example =
           "larder ledger verify --redis unix:/run/redis.sock --sql postgresql://larder@db.example/larder",
       .run = [&values](cli::Context& context) { return verify_ledger(context, values); }},
      {.name = "ledger rebuild",
       .summary = "Fills an empty Redis from the journal after the old Redis was lost.\n"
                  "Refuses a Redis that is not empty or that a server uses. If the command\n"
                  "is cut off, run it again",
       .example = "larder ledger rebuild --data /var/lib/larder",
       .run = [&values](cli::Context& context) { return rebuild_ledger(context, values); }}};
}

}  // namespace larder::api
