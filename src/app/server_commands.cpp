#include "app/server_commands.hpp"

#include "app/outbox_commands.hpp"
#include "app/server.hpp"
#include "base/scope.hpp"
#include "kit/accounts/service_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace larder {

namespace {

template <class T>
T value_or_fail(Result<T> result) {
  if (!result) throw SetupError(result.error().detail);
  return std::move(*result);
}

int migrate(cli::Context& context) {
  context.sql(cli::Context::DataDirectory::may_be_new);
  fmt::print("the schema is up to date\n");
  return 0;
}

int create_key(cli::Context& context) {
  auto const scopes = value_or_fail(ScopeSet::parse(context.value("--scope")));
  auto const made = value_or_fail(context.sql().write_now([&](sql::Session& session) {
    return accounts::create_service_key(session, context.value("--name"), scopes, SystemClock{}.now());
  }));
  fmt::print("{}\n", made.token);
  fmt::print(stderr, "created key {} in {}; its token is not shown again\n", made.id,
             redact_url(context.config().sql_url()));
  return 0;
}

int list_keys(cli::Context& context) {
  auto const keys = context.sql().read_now(accounts::list_service_keys);
  fmt::print("{:<18} {:<24} {:<32} {:<24} {}\n", "ID", "NAME", "SCOPES", "CREATED", "REVOKED");
  for (auto const& key : keys) {
    fmt::print("{:<18} {:<24} {:<32} {:<24} {}\n", key.id, key.name, key.scopes.text(),
               to_rfc3339(key.created_at), key.revoked_at ? to_rfc3339(*key.revoked_at) : "");
  }
  return 0;
}

int revoke_key(cli::Context& context) {
  auto const revoked = value_or_fail(context.sql().write_now([&](sql::Session& session) {
    return accounts::revoke_service_key(session, context.value("id"), SystemClock{}.now());
  }));
  fmt::print("key {} ({}) is revoked\n", revoked.id, revoked.name);
  return 0;
}

std::vector<cli::Command> key_commands() {
  return {
      {.name = "key",
       .summary = "Creates, lists and revokes service keys, the tokens of bots and back ends",
       .example = "larder key create --name bot --scope ledger"},
      {.name = "key create",
       .summary = "Creates a service key and prints its token, which is shown only once",
       .example = "larder key create --name bot --scope ledger,economy > bot.key",
       .options = {{.name = "--name", .help = "who uses the key", .required = true},
                   {.name = "--scope",
                    .help = fmt::format("its scopes, separated by commas: {}", fmt::join(scope_names, ", ")),
                    .required = true}},
       .run = create_key},
      {.name = "key list",
       .summary = "Lists the service keys without their tokens",
       .example = "larder key list --data /var/lib/larder",
       .run = list_keys},
      {.name = "key revoke",
       .summary = "Revokes a service key; within ten seconds every server refuses its token",
       .example = "larder key revoke 3f9c2a71b0de",
       .options = {{.name = "id", .help = "the id that `larder key list` shows", .required = true}},
       .run = revoke_key}};
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
