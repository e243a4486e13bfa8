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

// Which command to run with what, or the exit code after help, the version or a mistake has been printed. A
// command stands behind its group in `commands`.
std::variant<Arguments, int> parse_arguments(int argc, char const* const* argv, std::string const& version,
                                             std::span<Command const> commands);

}  // namespace larder::cli
