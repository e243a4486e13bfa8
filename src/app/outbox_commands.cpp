#include "app/outbox_commands.hpp"

#include "base/error.hpp"
#include "base/json.hpp"
#include "edges/cli/command_redis.hpp"
#include "kit/events/dead_events.hpp"
#include "kit/events/events_scripts.hpp"
#include "kit/events/stranded_events.hpp"

namespace larder {

namespace {

constexpr std::string_view all = "all";
constexpr std::string_view hidden_field = "hashed_password";  // must not leave the stores

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

void print_fields(events::Event const& event) {
  for (auto const& [name, value] : event.fields)
    fmt::print("  {} = {}\n", name, name == hidden_field ? "***" : shown(value));
}

void print(std::string_view outbox, events::DeadEvent const& dead, std::string_view state) {
  fmt::print("{} {} {}\n  event {}, {} {}\n", outbox, dead.id, state, dead.event.id, "died at",
             to_rfc3339(events::time_of(dead.id)));
  fmt::print("  why: {}\n", dead.why);
  print_fields(dead.event);
}

int list(cli::Context& context) {
  Place at(context);
  std::int64_t count = 0;
  for (auto const& outbox : at.run(events::outboxes_with_dead(*at.redis))) {
    events::OutboxKeys const keys(outbox);
    auto const print_all = [&](std::string const& key, std::string_view state) {
      count +=
          at.run(events::each_dead(*at.redis, key, [&](auto const& dead) { print(outbox, dead, state); }));
    };
    print_all(keys.dead, "is dead");
    print_all(keys.retry, "will be tried again by a server");
  }
  if (count == 0) fmt::print("no event is dead\n");
  return count == 0 ? 0 : 1;
}

std::string state_of(events::StrandedEvent const& event) {
  using enum events::StrandedEvent::State;
  auto const may = event.sql_may_have_it ? "; SQL may have it" : "";
  switch (event.state) {
    case waits:
    case taken_away:
      return fmt::format("{}; SQL {} it", event.state == waits ? "waits" : "was taken away",
                         event.sql_may_have_it ? "may have" : "does not have");
    case dead: return fmt::format("is dead{}; SQL refused it: {}", may, event.why);
    case retried:
      return fmt::format("is dead, and will be tried again by a server{}; SQL refused it: {}", may,
                         event.why);
  }
  LARDER_ASSERT(false);
}

void print(events::StrandedEvent const& event) {
  fmt::print("{} {} {}\n", event.outbox, event.event.id, state_of(event));
  print_fields(event.event);
}

int list_lost(cli::Context& context) {
  auto& sql = context.sql();
  Place at(context);
  auto const count = at.run(events::each_stranded(*at.redis, sql, [](auto const& event) { print(event); }));
  if (count == 0) {
    fmt::print("no event was taken away, none waits in an outbox that lacks others, and none is dead\n");
  }
  return count == 0 ? 0 : 1;
}

// The ids of the dead events that the command means.
std::vector<std::string> meant(std::string const& id, Place& at, std::string const& outbox) {
  if (id != all) return {id};
  std::vector<std::string> ids;
  at.run(events::each_dead(*at.redis, events::OutboxKeys(outbox).dead,
                           [&](auto const& dead) { ids.push_back(dead.id); }));
  return ids;
}

using Change = Task<bool> (*)(redis::Redis&, std::string const& outbox, std::string const& id);

int change(cli::Context& context, Change change, std::string_view done) {
  Place at(context);
  auto const outbox = context.value("outbox");
  auto const id_or_all = context.value("id");
  bool any = false;
  for (auto const& id : meant(id_or_all, at, outbox)) {
    if (!at.run(change(*at.redis, outbox, id))) continue;  // perhaps somebody else was faster
    any = true;
    fmt::print("{} {} {}\n", outbox, id, done);
  }
  if (any) return 0;
  if (id_or_all == all) throw SetupError(fmt::format("no event of {} is dead", outbox));
  throw SetupError(
      fmt::format("{} has no dead event {}; `larder outbox dead list` shows them", outbox, id_or_all));
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
       .run = [](cli::Context& context) { return change(context, events::drop_dead, "is dropped"); }},
      {.name = "outbox lost",
       .summary = "Lists the events that are only in Redis, and that no server brings to SQL by itself:\n"
                  "those that wait in an outbox that lacks others, those that a server took away from\n"
                  "one (streams `<outbox>:lost`), and dead ones. If it says that SQL may have an event,\n"
                  "look for it there before you enter it again. The exit code is 1 if there are any. An\n"
                  "empty Redis has none, so run it before you empty Redis",
       .example = "larder outbox lost > lost-events.txt",
       .run = list_lost}};
}

}  // namespace larder
