#include "edges/api/ledger/ledger_commands.hpp"

#include "edges/cli/command_redis.hpp"
#include "edges/cli/progress_line.hpp"
#include "edges/cli/words.hpp"
#include "systems/ledger/audit/ledger_rebuild.hpp"
#include "systems/ledger/audit/ledger_verify.hpp"
#include "systems/ledger/ledger_adoption.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

// What the commands work with.
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

int adopt_balances(cli::Context& context, LedgerSystem::Values const& values) {
  Workplace at(context, values, cli::CommandRedis::If::it_runs_refuse);
  cli::run_here(at.redis.io, check_key_layout(at));
  bool const dry_run = !context.value("--dry-run").empty();
  ledger::AdoptOptions const options{.dry_run = dry_run,
                                     .refused =
                                         [&](std::string const& line) {
                                           at.line.clear();
                                           fmt::print(stderr, "{}\n", line);
                                         },
                                     .progress =
                                         [&](ledger::AdoptReport const& so_far) {
                                           at.line.show([&](double) {
                                             return fmt::format("{} balances, {} known before, {} refused",
                                                                so_far.adopted, so_far.known, so_far.refused);
                                           });
                                         }};
  auto const report =
      cli::run_here(at.redis.io, ledger::adopt(*at.redis, at.journal, at.keys, at.clock, options));
  at.line.clear();
  fmt::print("{} {} with {}; {} known before, {} refused\n", dry_run ? "would take in" : "took in",
             cli::counted(report.adopted, "balance"), cli::counted(report.points, "point"), report.known,
             report.refused);
  return report.refused == 0 ? 0 : 1;
}

// The ledger of a server, for commands that work as a server would.
struct WorkingLedger : Workplace {
  WorkingLedger(cli::Context& context, LedgerSystem::Values const& values)
      : Workplace(context, values, cli::CommandRedis::If::it_runs_use_it),
        shared{.keys = keys,
               .journal = journal,
               .clock = clock,
               .metrics = context.metrics(),
               .order_shards = values.order_shards},
        ledger(*redis, shared) {
    cli::run_here(redis.io, check_key_layout(*this));
  }
  ledger::Shared shared;
  ledger::Ledger ledger;
};

void print(ledger::LeftTransfer const& left) {
  fmt::print("{} {}: type {}, domain {}; left at {}\n", left.from.uid.str(), left.order_id.str(),
             left.from.type, left.from.domain.str(), to_rfc3339(left.left_at));
  fmt::print("  why: {}\n", left.why);
  if (!left.intent) {
    fmt::print("  the transfer is closed, or gone with its type: `complete` clears it away\n");
    return;
  }
  fmt::print("  {} to {}, sent at {}\n", cli::counted(left.intent->amount.value(), "point"),
             left.intent->to.str(), to_rfc3339(left.intent->sent_at));
  if (!left.arrival && left.journal_lacks_events) {
    fmt::print(
        "  SQL refuses events, so the journal may lack the arrival of the points: see `larder outbox dead "
        "list` first\n");
  } else if (!left.arrival) {
    fmt::print(
        "  by the journal, the points have not arrived: `complete` delivers them, `return` gives them "
        "back\n");
  } else if (left.arrival->status == ledger::Status::ok) {
    fmt::print("  by the journal, the points arrived at {}: `complete` closes the transfer\n",
               to_rfc3339(left.arrival->at));
  } else {
    fmt::print("  by the journal, the points could not arrive ({}): `return` gives them back\n",
               ledger::name_of(left.arrival->status));
  }
}

int list_left(cli::Context& context, LedgerSystem::Values const& values) {
  WorkingLedger at(context, values);
  auto const all = cli::run_here(at.redis.io, at.ledger.left_transfers());
  for (auto const& left : all) print(left);
  if (all.empty()) fmt::print("no transfer waits for a person\n");
  return all.empty() ? 0 : 1;
}

template <class Id>
Id id_of(cli::Context const& context, std::string_view option) {
  auto const id = Id::from(context.value(option));
  if (!id) throw SetupError(fmt::format("{} {}", option, Id::expectation()));
  return *id;
}

using EndLeft = Task<Result<ledger::Outcome>> (ledger::Ledger::*)(UserId uid, OrderId order_id);

int end_left(cli::Context& context, LedgerSystem::Values const& values, EndLeft end) {
  WorkingLedger at(context, values);
  auto const uid = id_of<UserId>(context, "uid");
  auto const order_id = id_of<OrderId>(context, "order_id");
  auto const ended = cli::run_here(at.redis.io, (at.ledger.*end)(uid, order_id));
  if (!ended) throw SetupError(ended.error().detail);
  if (ended->word("state") == "done") {
    fmt::print("{} {}: {} has the points\n", uid.str(), order_id.str(), ended->word("to"));
  } else {
    fmt::print("{} {}: the points came back under order {} ({})\n", uid.str(), order_id.str(),
               ended->word("returned_by"), ledger::name_of(ended->status));
  }
  return 0;
}

}  // namespace

std::vector<cli::Command> ledger_commands(LedgerSystem::Values const& values) {
  std::vector<cli::Option> const which = {
      {.name = "uid", .help = "who sent the points", .required = true},
      {.name = "order_id", .help = "the order of the transfer", .required = true}};
  return {
      {.name = "ledger",
       .summary = "Compares Redis with the journal, rebuilds Redis from the journal, and\n"
                  "resolves what servers leave to people",
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
       .run = [&values](cli::Context& context) { return rebuild_ledger(context, values); }},
      {.name = "ledger adopt",
       .summary = "Takes the balances of an existing installation in: each balance without a\n"
                  "flow gets a first one, `opening`. Refuses a Redis that a server uses. If the\n"
                  "command is cut off, run it again",
       .example = "larder ledger adopt --dry-run --redis redis://redis.example",
       .options = {{.name = "--dry-run", .help = "only say what would be done", .flag = true}},
       .run = [&values](cli::Context& context) { return adopt_balances(context, values); }},
      {.name = "ledger transfers",
       .summary = "Resolves transfers between slots that no server can complete",
       .example = "larder ledger transfers list"},
      {.name = "ledger transfers list",
       .summary = "Lists these transfers, and what the journal knows of them; the exit code is 1\n"
                  "if there are any",
       .example = "larder ledger transfers list --data /var/lib/larder",
       .run = [&values](cli::Context& context) { return list_left(context, values); }},
      {.name = "ledger transfers complete",
       .summary = "Ends such a transfer: the receiver has the points, or gets them now",
       .example = "larder ledger transfers complete alice gift-17",
       .options = which,
       .run =
           [&values](cli::Context& context) {
             return end_left(context, values, &ledger::Ledger::complete_left);
           }},
      {.name = "ledger transfers return",
       .summary = "Ends such a transfer: the sender gets the points back, unless they have arrived",
       .example = "larder ledger transfers return alice gift-17",
       .options = which,
       .run = [&values](cli::Context& context) {
         return end_left(context, values, &ledger::Ledger::return_left);
       }}};
}

}  // namespace larder::api
