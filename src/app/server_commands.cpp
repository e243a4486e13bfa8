#include "app/server_commands.hpp"

#include "app/key_commands.hpp"
#include "app/outbox_commands.hpp"
#include "app/server.hpp"

#include <fmt/format.h>

namespace larder {

namespace {

int migrate(cli::Context& context) {
  context.sql(cli::Context::DataDirectory::may_be_new);
  fmt::print("the schema is up to date\n");
  return 0;
}

}  // namespace

std::vector<cli::Command> server_commands(Systems& systems) {
  std::vector<cli::Command> commands{
      {.name = "serve",
       .summary = "Starts the server",
       .example = "larder serve --data /var/lib/larder --listen 127.0.0.1:7420 --set log.level=warn",
       .options = {{.name = "--listen",
                    .help = "HOST:PORT (default: 127.0.0.1:7420)",
                    .setting = "server.listen"}},
       .run =
           [&systems](cli::Context& context) {
             serve(context.config(), std::move(systems));
             return 0;
           }},
      {.name = "migrate",
       .summary = "Brings the SQL schema up to date; `serve` does the same when it starts",
       .example = "larder migrate --sql postgresql://larder@db.example/larder",
       .run = migrate}};
  for (auto& command : key_commands()) commands.push_back(std::move(command));
  for (auto& command : outbox_commands()) commands.push_back(std::move(command));
  return commands;
}

std::vector<cli::Command> config_commands(Settings const& settings, Systems const& systems) {
  return {{.name = "config",
           .summary = "Checks or shows the settings",
           .example = "larder config dump > larder.toml"},
          {.name = "config check",
           .summary = "Checks the settings",
           .example = "larder config check --config /etc/larder/larder.toml",
           .run =
               [&systems](cli::Context& context) {
                 check_config(context.config(), systems);
                 fmt::print("the settings are valid\n");
                 return 0;
               }},
          {.name = "config dump",
           .summary = "Prints every setting as TOML and hides secrets",
           .example = "larder config dump > larder.toml",
           .run =
               [&settings](cli::Context&) {
                 fmt::print("{}", dump_settings(settings));
                 return 0;
               }},
          {.name = "version",
           .summary = "Prints the version, like --version",
           .example = "larder version",
           .takes_settings = false,
           .run = [](cli::Context&) {
             fmt::print("larder {}\n", version);
             return 0;
           }}};
}

}  // namespace larder
