// The command line of `larder`.
#pragma once

#include "edges/cli/command.hpp"

#include <span>
#include <string>
#include <variant>

namespace larder::cli {

struct Arguments {
  Command const* command = nullptr;
  SettingSources sources = {};
  Values values = {};
};

// The command to run and its options. If help, the version or a mistake was printed instead: the exit code.
// In `commands`, a command must come after its group.
std::variant<Arguments, int> parse_arguments(int argc, char const* const* argv, std::string const& version,
                                             std::span<Command const> commands);

}  // namespace larder::cli
