#include "app/outbox_commands.hpp"

#include "base/json.hpp"
#include "edges/cli/command_redis.hpp"
#include "kit/events/dead_events.hpp"
#include "kit/events/events_scripts.hpp"

namespace larder {

namespace {

constexpr int listed_max = 1000;  // of one outbox
constexpr std::string_view all = "all";

struct Place {
  explicit Place(cli::Context& context)
      : redis(context.config(), context.metrics(), cli::CommandRedis::If::it_runs_use_it) {}
  template <class T>
  T run(Task<T> task) {
    return cli::run_here(redis.io, std::move(task));
  }
  cli::CommandRedis redis;
};

// Any bytes, in a form that a terminal can show.
std::string shown(std::string_view text) {
  std::string quoted;
  append_json_string(quoted, text);
  return quoted;
}

void print(std::string_view outbox, events::DeadEvent const& dead, std::string_view state) {
  fmt::print("{} {} {}\n  event {}, {} {}\n", outbox, dead.id, state, dead.event.id, "died at",
             to_rfc3339(events::time_of(dead.id)));
  fmt::print("  why: {}\n", dead.why);
  for (auto const& [name, value] : dead.event.fields) fmt::print("  {} = {}\n", name, shown(value));
}

int list(cli::Context& context) {
  Place at(context);
  std::size_t count = 0;
  for (auto const& outbox : at.run(events::outboxes_with_dead(*at.redis))) {
    events::OutboxKeys const keys(outbox);
    auto const dead = at.run(events::read_dead(*at.redis, keys.dead, listed_max));
    for (auto const& each : dead) print(outbox, each, "is dead");
    auto const waiting = at.run(events::read_dead(*at.redis, keys.retry, listed_max));
    for (auto const& each : waiting) print(outbox, each, "will be tried again by a server");
    count += dead.size() + waiting.size();
  }
  if (count == 0) fmt::print("no event is dead\n");
  return count == 0 ? 0 : 1;
}

// The ids of the dead events that the command means.
std::vector<std::string> meant(cli::Context const& context, Place& at, std::string const& outbox) {
  auto const id = context.value("id");
  if (id != all) return {id};
  std::vector<std::string> ids;
  for (auto const& dead : at.run(events::read_dead(*at.redis, events::OutboxKeys(outbox).dead, listed_max)))
    ids.push_back(dead.id);
  return ids;
}

using Change = Task<bool> (*)(redis::Redis&, std::string const& outbox, std::string const& id);

int change(cli::Context& context, Change change, std::string_view done) {
  Place at(context);
  auto const outbox = context.value("outbox");
  auto const ids = meant(context, at, outbox);
  if (ids.empty()) throw SetupError(fmt::format("no event of {} is dead", outbox));
  for (auto const& id : ids) {
    if (!at.run(change(*at.redis, outbox, id))) {
      throw SetupError(
          fmt::format("{} has no dead event {}; `larder outbox dead list` shows them", outbox, id));
    }
    fmt::print("{} {} {}\n", outbox, id, done);
  }
  return 0;
}

}  // namespace

std::vector<cli::Command> outbox_commands() {
  std::vector<cli::Option> const which = {
      {.name = "outbox", .help = "the outbox that `larder outbox dead list` shows", .required = true},
      {.name = "id",
       .help = "the id behind it, or `all` for every dead event of that outbox",
       .required = true}};
  return {
      {.name = "outbox",
       .summary = "Handles events on their way to SQL",
       .example = "larder outbox dead list"},
      {.name = "outbox dead",
       .summary = "Handles dead events: those that SQL refuses because of what is in them",
       .example = "larder outbox dead list"},
      {.name = "outbox dead list",
       .summary = "Lists the dead events with the reason; the exit code is 1 if there are any",
       .example = "larder outbox dead list --data /var/lib/larder",
       .run = list},
      {.name = "outbox dead retry",
       .summary = "Lets a running server try a dead event again, after the reason was repaired",
       .example = "larder outbox dead retry score_order_log:0 1700000000000-0",
       .options = which,
       .run =
           [](cli::Context& context) { return change(context, events::retry_dead, "will be tried again"); }},
      {.name = "outbox dead drop",
       .summary = "Forgets a dead event: the journal will never have it, and `verify` shows the difference",
       .example = "larder outbox dead drop score_order_log:0 1700000000000-0",
       .options = which,
       .run = [](cli::Context& context) { return change(context, events::drop_dead, "is dropped"); }}};
}

}  // namespace larder
