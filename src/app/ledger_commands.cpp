#include "app/ledger_commands.hpp"

#include "app/command_tools.hpp"
#include "systems/ledger/ledger_rebuild.hpp"
#include "systems/ledger/ledger_verify.hpp"

#include <fmt/format.h>

namespace larder {

namespace {

// What both commands work with.
struct Workplace {
  Workplace(Config const& config, Sql& sql, Metrics& metrics, TheRedis::If if_it_runs)
      : redis(config, metrics, if_it_runs),
        journal(sql, config.ledger.flow_tables),
        keys(config.ledger.key_format, (*redis).is_cluster()) {}

  TheRedis redis;
  SystemClock clock;
  ledger::Journal journal;
  ledger::Keys keys;
  ProgressLine line;
};

Task<bool> check_key_layout(Workplace& at) {
  co_await at.journal.check_key_layout(at.keys.layout());
  co_return true;
}

}  // namespace

int verify_ledger(Config const& config, Sql& sql, Metrics& metrics) {
  Workplace at(config, sql, metrics, TheRedis::If::it_runs_use_it);
  run_here(at.redis.io, check_key_layout(at));
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
                                 so_far.flows, per_second(so_far.flows, seconds), so_far.accounts,
                                 so_far.orders, so_far.keys, so_far.differences);
            });
          }};
  auto const report =
      run_here(at.redis.io, ledger::verify(*at.redis, at.journal, at.keys, at.clock, options));
  at.line.clear();
  fmt::print(
      "{} difference{}: compared {} flows, {} accounts and {} orders with Redis, and {} keys of Redis with "
      "the journal\n",
      report.differences == 0 ? "no" : fmt::to_string(report.differences), report.differences == 1 ? "" : "s",
      report.flows, report.accounts, report.orders, report.keys);
  return report.differences == 0 ? 0 : 1;
}

int rebuild_ledger(Config const& config, Sql& sql, Metrics& metrics) {
  Workplace at(config, sql, metrics, TheRedis::If::it_runs_refuse);
  ledger::RebuildOptions const options{
      .order_shards = config.ledger.order_shards,
      .problem =
          [&](std::string const& problem) {
            at.line.clear();
            fmt::print(stderr, "{}\n", problem);
          },
      .progress =
          [&](ledger::RebuildReport const& so_far) {
            at.line.show([&](double seconds) {
              return fmt::format("{} flows ({}), {} accounts, {} orders", so_far.flows,
                                 per_second(so_far.flows, seconds), so_far.accounts, so_far.orders);
            });
          }};
  auto const report =
      run_here(at.redis.io, ledger::rebuild(*at.redis, at.journal, at.keys, at.clock, options));
  at.line.clear();
  fmt::print("rebuilt {} accounts and {} orders from {} flows\n", report.accounts, report.orders,
             report.flows);
  if (report.problems > 0) {
    fmt::print("in {} places the journal contradicts itself; there the later flow was believed\n",
               report.problems);
  }
  return 0;
}

}  // namespace larder
