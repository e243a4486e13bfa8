// The command line of `larder`.
#pragma once

#include "base/config.hpp"

#include <string>
#include <variant>
#include <vector>

namespace larder {

enum class Command {
  serve,
  migrate,
  key_create,
  key_list,
  key_revoke,
  ledger_verify,
  ledger_rebuild,
  economy_items_check,
  economy_items_load,
  economy_verify,
  config_check,
  config_dump,
  version
};

struct Arguments {
  Command command = Command::serve;
  ConfigSources sources;
  std::string key_name;
  std::vector<std::string> key_scopes;
  std::string key_id;
  std::string file;   // a catalogue
  std::string realm;  // empty: all
};

// What to do, or the exit code after help, the version or a mistake has been printed.
std::variant<Arguments, int> parse_arguments(int argc, char const* const* argv, std::string const& version);

}  // namespace larder
