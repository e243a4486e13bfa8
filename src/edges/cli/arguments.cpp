#include "edges/cli/arguments.hpp"

#include "base/scope.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace larder {

namespace {

constexpr char const* about =
    "Larder: points, items, game states, messages and a Discord cache for community games and bots.\n"
    "\n"
    "  larder serve                        start; everything lies in ./data, Redis and SQLite come along\n"
    "  curl http://127.0.0.1:7420/readyz   is it up?\n"
    "  larder key create --name bot --scope ledger\n"
    "                                      a token for a bot: Authorization: Bearer <token>\n"
    "\n"
    "Then open http://127.0.0.1:7420/docs.";

constexpr char const* settings_help =
    "Settings come from --config FILE (TOML), then LARDER_SECTION__KEY variables (LARDER_SECTION__KEY_FILE "
    "reads a\n"
    "secret from a file), then flags; the later wins. `larder config dump` lists them all.";

// The flags that every command has, which lead to its data.
void add_settings(CLI::App& app, ConfigSources& sources) {
  auto const flag = [&](char const* name, char const* setting, char const* help) {
    app.add_option_function<std::string>(
        name, [&sources, setting](std::string const& value) { sources.flags.emplace_back(setting, value); },
        help);
  };
  app.add_option("--config", sources.file, "settings, as TOML");
  flag("--data", "data", "data directory (default: data)");
  flag("--redis", "redis.url",
       "embedded (default), unix:/path, redis://[user:password@]host:port[/db],\n"
       "redis+cluster://host:port,host:port; rediss for TLS");
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
         "any setting: --set log.level=debug")
      ->allow_extra_args(false);
}

void set_example(CLI::App& app, std::string_view example) {
  app.footer(fmt::format("Example:\n  {}\n\n{}", example, settings_help));
}

// "larder key create": as far as the command was understood.
std::string understood(CLI::App const& app) {
  std::string words = app.get_name();
  for (auto const* sub = &app; !sub->get_subcommands().empty();) {
    sub = sub->get_subcommands().front();
    words += fmt::format(" {}", sub->get_name());
  }
  return words;
}

int tell(CLI::App& app, CLI::ParseError const& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
  std::string what = error.what();
  // A word that nobody knows is the better clue than what is missing for it.
  if (auto const unknown = app.remaining(true); !unknown.empty()) {
    what = fmt::format("{} is not known here", unknown.front());
  }
  std::ranges::replace(what, '\n', ' ');
  fmt::print(stderr, "larder: {}; `{} --help` tells more\n", what, understood(app));
  return 1;
}

}  // namespace

std::variant<Arguments, int> parse_arguments(int argc, char const* const* argv, std::string const& version) {
  Arguments out;
  CLI::App app{about, "larder"};
  app.require_subcommand(1);
  app.footer(settings_help);
  app.set_version_flag("--version", version, "Prints the version");

  auto const command = [&](CLI::App& parent, char const* name, char const* help, char const* example,
                           Command which) {
    auto* const sub = parent.add_subcommand(name, help);
    sub->callback([&out, which] { out.command = which; });
    add_settings(*sub, out.sources);
    set_example(*sub, example);
    return sub;
  };

  auto* const serve = command(
      app, "serve", "Starts the server",
      "larder serve --data /var/lib/larder --listen 127.0.0.1:7420 --set log.level=warn", Command::serve);
  serve->add_option_function<std::string>(
      "--listen", [&](std::string const& value) { out.sources.flags.emplace_back("server.listen", value); },
      "HOST:PORT (default: 127.0.0.1:7420)");

  command(app, "migrate", "Brings the SQL schema up to date; `serve` does the same at its start",
          "larder migrate --sql postgresql://larder@db.example/larder", Command::migrate);

  auto* const key = app.add_subcommand("key", "Makes, lists and revokes the tokens of bots and back ends");
  key->require_subcommand(1);
  set_example(*key, "larder key create --name bot --scope ledger");
  auto* const create =
      command(*key, "create", "Makes a key and prints its token, which is shown only once",
              "larder key create --name bot --scope ledger,economy > bot.key", Command::key_create);
  create->add_option("--name", out.key_name, "whose key it is")->required();
  create
      ->add_option("--scope", out.key_scopes,
                   fmt::format("what it opens, comma separated: {}", fmt::join(scope_names, ", ")))
      ->required()
      ->delimiter(',');
  command(*key, "list", "Lists the keys, without their tokens", "larder key list --data /var/lib/larder",
          Command::key_list);
  auto* const revoke = command(*key, "revoke", "Makes a token worthless, within ten seconds on every server",
                               "larder key revoke 3f9c2a71b0de", Command::key_revoke);
  revoke->add_option("id", out.key_id, "as `larder key list` shows it")->required();

  auto* const ledger =
      app.add_subcommand("ledger", "Compares Redis with the journal, or makes it from the journal");
  ledger->require_subcommand(1);
  set_example(*ledger, "larder ledger verify --data /var/lib/larder");
  command(*ledger, "verify",
          "Compares every balance, lot, hold and order in Redis with the journal,\n"
          "and the journal with itself. A line for each difference, exit code 1 if\n"
          "there is any. Servers may work meanwhile",
          "larder ledger verify --redis unix:/run/redis.sock --sql postgresql://larder@db.example/larder",
          Command::ledger_verify);
  command(*ledger, "rebuild",
          "Fills an empty Redis from the journal, after the old one was lost.\n"
          "Refuses if it is not empty, or while a server works on it; one that was\n"
          "cut off is started again the same way",
          "larder ledger rebuild --data /var/lib/larder", Command::ledger_rebuild);

  auto* const economy =
      app.add_subcommand("economy", "Checks and loads catalogues, compares Redis with the events");
  economy->require_subcommand(1);
  set_example(*economy, "larder economy items check my-game.json");
  auto* const items = economy->add_subcommand("items", "Checks a catalogue, or gives it to realms");
  items->require_subcommand(1);
  set_example(*items, "larder economy items check my-game.json");
  auto* const check =
      items->add_subcommand("check", "Says whether a catalogue is right, or what is wrong where");
  check->callback([&] { out.command = Command::economy_items_check; });
  set_example(*check, "larder economy items check my-game.json");
  check->add_option("file", out.file, "the catalogue, JSON")->required();
  auto* const load =
      command(*items, "load",
              "Gives a catalogue to every realm, or to one. A running server goes on with it\n"
              "at the next move; later starts leave it alone",
              "larder economy items load my-game.json --realm main", Command::economy_items_load);
  load->add_option("file", out.file, "the catalogue, JSON")->required();
  load->add_option("--realm", out.realm, "only this one, made if it is new");
  auto* const verify = command(*economy, "verify",
                               "Compares every balance and inventory in Redis with the events. A line for\n"
                               "each difference, exit code 1 if there is any. Servers may work meanwhile",
                               "larder economy verify --data /var/lib/larder", Command::economy_verify);
  verify->add_option("--realm", out.realm, "only this one");

  auto* const config = app.add_subcommand("config", "Checks or shows the settings");
  config->require_subcommand(1);
  set_example(*config, "larder config dump > larder.toml");
  command(*config, "check", "Says whether the settings are right",
          "larder config check --config /etc/larder/larder.toml", Command::config_check);
  command(*config, "dump", "Prints every setting as TOML, secrets hidden", "larder config dump > larder.toml",
          Command::config_dump);

  auto* const show_version = app.add_subcommand("version", "Prints the version, like --version");
  show_version->callback([&] { out.command = Command::version; });
  set_example(*show_version, "larder version");

  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    return tell(app, error);
  }
  out.sources.environment = larder_environment();
  return out;
}

}  // namespace larder
