#include "edges/cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace larder::cli {

namespace {

constexpr char const* about =
    "Larder: points, items, game states, messages and a Discord cache for community games and bots.\n"
    "\n"
    "  larder serve                        start a server with its own Redis and SQLite in ./data\n"
    "  curl http://127.0.0.1:7420/readyz   check that the server is ready\n"
    "  larder key create --name bot --scope ledger\n"
    "                                      create a token for a bot: Authorization: Bearer <token>\n"
    "\n"
    "Then open http://127.0.0.1:7420/docs.";

constexpr char const* settings_help =
    "Settings come from --config FILE (TOML), from LARDER_SECTION__KEY variables and from flags; a later\n"
    "source wins. LARDER_SECTION__KEY_FILE reads a value from a file. `larder config dump` lists them all.";

// The options that most commands have. They say where the data is.
void add_settings(CLI::App& app, SettingSources& sources) {
  auto const flag = [&](char const* name, char const* setting, char const* help) {
    app.add_option_function<std::string>(
        name, [&sources, setting](std::string const& value) { sources.flags.emplace_back(setting, value); },
        help);
  };
  app.add_option("--config", sources.file, "a TOML file with settings");
  flag("--data", "data", "the data directory (default: data)");
  flag("--redis", "redis.url",
       "embedded (default), unix:/path, redis://[user:password@]host:port[/db],\n"
       "redis+cluster://host:port,host:port; rediss instead of redis for TLS");
  flag("--sql", "sql.url", "sqlite:/path (default: in the data directory), postgresql://..., mysql://...");
  app.add_option_function<std::vector<std::string>>(
         "--set",
         [&sources](std::vector<std::string> const& settings) {
           for (auto const& setting : settings) {
             auto const equals = setting.find('=');
             if (equals == std::string::npos) {
               throw CLI::ValidationError("--set",
                                          fmt::format("{} is not of the form section.key=value", setting));
             }
             sources.flags.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
           }
         },
         "any setting, such as --set log.level=debug")
      ->allow_extra_args(false);
}

void set_example(CLI::App& app, std::string_view example) {
  app.footer(fmt::format("Example:\n  {}\n\n{}", example, settings_help));
}

// The part of the command line that was understood, like "larder key create".
std::string understood(CLI::App const& app) {
  std::string words = app.get_name();
  for (auto const* sub = &app; !sub->get_subcommands().empty();) {
    sub = sub->get_subcommands().front();
    words += fmt::format(" {}", sub->get_name());
  }
  return words;
}

int tell(CLI::App& app, CLI::ParseError const& error) {
  // --help, --version; but `larder nosuch --help` would show the help of larder
  if (error.get_exit_code() == 0 && app.remaining(true).empty()) return app.exit(error);
  std::string what = error.what();
  // An unknown word is a better clue than an option that is missing because of it.
  if (auto const unknown = app.remaining(true); !unknown.empty()) {
    what = fmt::format("unknown argument {}", unknown.front());
  }
  std::ranges::replace(what, '\n', ' ');
  fmt::print(stderr, "larder: {}; see `{} --help`\n", what, understood(app));
  return 1;
}

CLI::App& parent_of(CLI::App& app, std::string_view name, std::string_view& last) {
  auto* parent = &app;
  for (auto space = name.find(' '); space != std::string_view::npos; space = name.find(' ')) {
    parent = parent->get_subcommand(std::string(name.substr(0, space)));
    name.remove_prefix(space + 1);
  }
  last = name;
  return *parent;
}

void add_option(CLI::App& app, Option const& option, Arguments& out) {
  auto const keep = [&out, &option](std::string const& value) {
    if (option.setting.empty()) {
      out.values[std::string(option.name)] = value;
    } else {
      out.sources.flags.emplace_back(option.setting, value);
    }
  };
  if (option.flag) {
    app.add_flag_callback(std::string(option.name), [keep] { keep("true"); }, option.help);
    return;
  }
  app.add_option_function<std::string>(std::string(option.name), keep, option.help)
      ->required(option.required);
}

void add_command(CLI::App& app, Command const& command, Arguments& out) {
  std::string_view name;
  auto& parent = parent_of(app, command.name, name);
  auto& sub = *parent.add_subcommand(std::string(name), std::string(command.summary));
  set_example(sub, command.example);
  if (!command.run) {
    sub.require_subcommand(1);
    return;
  }
  sub.callback([&out, &command] { out.command = &command; });
  if (command.takes_settings) add_settings(sub, out.sources);
  for (auto const& option : command.options) add_option(sub, option, out);
}

}  // namespace

std::variant<Arguments, int> parse_arguments(int argc, char const* const* argv, std::string const& version,
                                             std::span<Command const> commands) {
  Arguments out;
  CLI::App app{about, "larder"};
  app.require_subcommand(1);
  app.footer(settings_help);
  app.set_version_flag("--version", version, "Prints the version");
  for (auto const& command : commands) add_command(app, command, out);
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    return tell(app, error);
  }
  out.sources.environment = larder_environment();
  return out;
}

}  // namespace larder::cli
