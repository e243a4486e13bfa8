#include "app/all_systems_commands.hpp"

#include "edges/cli/command_redis.hpp"
#include "kit/presence/presence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace larder {

namespace {

using Commands = std::vector<cli::Command>;

std::string_view system_of(cli::Command const& command) {
  return command.name.substr(0, command.name.find(' '));
}

Commands called(Commands const& all, std::string_view verb) {
  Commands found;
  for (auto const& command : all) {
    if (command.name == fmt::format("{} {}", system_of(command), verb)) found.push_back(command);
  }
  return found;
}

// A system that cannot be verified must not keep the others from being verified.
int verify_all(cli::Context& context, Commands const& commands) {
  int worst = 0;
  for (auto const& command : commands) {
    fmt::print("{}: ", system_of(command));
    std::fflush(stdout);
    try {
      worst = std::max(worst, command.run(context));
    } catch (std::exception const& error) {
      fmt::print("not verified: {}\n", error.what());
      worst = std::max(worst, 1);
    }
  }
  return worst;
}

std::string cut_off(cli::Context& context) {
  cli::CommandRedis redis(context.config(), context.metrics(), cli::CommandRedis::If::it_runs_refuse);
  return cli::run_here(redis.io, presence::closed_for(*redis));
}

// A rebuild that was cut off goes first: until it is complete, no other can begin.
int rebuild_all(cli::Context& context, Commands commands) {
  auto const unfinished = cut_off(context);
  auto const first = std::ranges::find(commands, unfinished, system_of);
  if (first != commands.end()) std::rotate(commands.begin(), first, first + 1);
  int worst = 0;
  bool behind = false;
  for (auto const& command : commands) {
    fmt::print("{}: ", system_of(command));
    std::fflush(stdout);
    try {
      worst = std::max(worst, command.run(context));
    } catch (presence::NotEmptyError const&) {
      fmt::print("nothing to do, Redis has its data\n");
    } catch (LostRedisError const& error) {
      fmt::print("not rebuilt: {}\n", error.what());
      behind = true;
    }
  }
  if (behind) {
    fmt::print(
        "Redis is behind SQL. Start a server on it: the server refuses, but brings to SQL what waits in\n"
        "Redis. Then run `larder outbox lost`, and keep what it prints: these events are nowhere else.\n"
        "Then empty Redis, and run `larder rebuild` again. operating.md has the steps\n");
    return 1;
  }
  fmt::print("run `larder verify` to compare Redis with SQL\n");
  return worst;
}

}  // namespace

std::vector<cli::Command> all_systems_commands(std::vector<cli::Command> const& of_systems) {
  return {{.name = "verify",
           .summary = "Compares Redis with SQL, for every system: runs `larder <system> verify` for each.\n"
                      "The exit code is 1 if there is any difference. It may run while servers are running",
           .example = "larder verify --data /var/lib/larder",
           .run = [commands = called(of_systems, "verify")](
                      cli::Context& context) { return verify_all(context, commands); }},
          {.name = "rebuild",
           .summary = "Fills an empty Redis from SQL, for every system: runs `larder <system> rebuild`\n"
                      "for each. Leaves out systems whose data Redis still has. If the command is cut\n"
                      "off, run it again",
           .example = "larder rebuild --data /var/lib/larder",
           .run = [commands = called(of_systems, "rebuild")](cli::Context& context) {
             return rebuild_all(context, commands);
           }}};
}

}  // namespace larder
