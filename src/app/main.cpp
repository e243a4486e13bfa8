#include "app/economy_commands.hpp"
#include "app/ledger_commands.hpp"
#include "app/server.hpp"
#include "base/data_dir.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "edges/cli/arguments.hpp"
#include "kit/accounts/accounts_schema.hpp"
#include "kit/accounts/service_keys.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace larder {

namespace {

void configure_log(Config const& config) {
  static constexpr std::string_view levels[] = {"debug", "info", "warn", "error"};
  auto const level = log::Level(std::ranges::find(levels, config.log.level) - std::begin(levels));
  log::configure(level, config.log.format == "json"   ? log::Format::json
                        : config.log.format == "text" ? log::Format::text
                                                      : log::Format::automatic);
}

template <class T>
T value_or_fail(Result<T> result) {
  if (!result) throw SetupError(result.error().detail);
  return std::move(*result);
}

void create_key(Sql& sql, Arguments const& arguments, std::string const& where) {
  auto const scopes = value_or_fail(ScopeSet::parse(fmt::format("{}", fmt::join(arguments.key_scopes, ","))));
  auto const made = value_or_fail(sql.write_now([&](SqlSession& session) {
    return create_service_key(session, arguments.key_name, scopes, SystemClock{}.now());
  }));
  fmt::print("{}\n", made.token);
  fmt::print(stderr, "key {} made in {}; this is the only time its token is shown\n", made.id, where);
}

void list_keys(Sql& sql) {
  fmt::print("{:<18} {:<24} {:<32} {:<24} {}\n", "ID", "NAME", "SCOPES", "CREATED", "REVOKED");
  for (auto const& key : sql.read_now(list_service_keys)) {
    fmt::print("{:<18} {:<24} {:<32} {:<24} {}\n", key.id, key.name, key.scopes.text(),
               to_rfc3339(key.created_at), key.revoked_at ? to_rfc3339(*key.revoked_at) : "");
  }
}

void revoke_key(Sql& sql, Arguments const& arguments) {
  auto const revoked = value_or_fail(sql.write_now([&](SqlSession& session) {
    return revoke_service_key(session, arguments.key_id, SystemClock{}.now());
  }));
  fmt::print("key {} ({}) is revoked\n", revoked.id, revoked.name);
}

std::string version_line() { return fmt::format("larder {}", version); }

// The exit code.
int run(Arguments const& arguments) {
  if (arguments.command == Command::version) {
    fmt::print("{}\n", version_line());
    return 0;
  }
  if (arguments.command == Command::economy_items_check) return check_items(arguments.file);
  auto const config = load_config(arguments.sources);
  configure_log(config);
  if (arguments.command == Command::config_check) {
    check_config(config);
    fmt::print("the settings are right\n");
    return 0;
  }
  if (arguments.command == Command::config_dump) {
    fmt::print("{}", dump_config(config));
    return 0;
  }
  if (arguments.command == Command::serve) {
    serve(config);
    return 0;
  }

  if (config.sql.url.empty()) {
    bool const about_data = arguments.command != Command::migrate;
    if (about_data && !std::filesystem::exists(config.data)) {
      throw SetupError(
          fmt::format("there is no data directory {} here; start `larder serve` first, or give --data, "
                      "--sql or --config as you gave them to it",
                      config.data));
    }
    make_data_dir(config.data);
  }
  Metrics metrics;
  Sql sql(config.sql_url(), 1, metrics);
  migrate_all(sql, config);
  switch (arguments.command) {
    case Command::migrate: fmt::print("the schema is up to date\n"); break;
    case Command::key_create: create_key(sql, arguments, redact_url(config.sql_url())); break;
    case Command::key_list: list_keys(sql); break;
    case Command::key_revoke: revoke_key(sql, arguments); break;
    case Command::ledger_verify: return verify_ledger(config, sql, metrics);
    case Command::ledger_rebuild: return rebuild_ledger(config, sql, metrics);
    case Command::economy_items_load: return load_items(config, arguments.file, arguments.realm, metrics);
    case Command::economy_verify: return verify_economy(config, sql, arguments.realm, metrics);
    default: LARDER_ASSERT(false);
  }
  return 0;
}

}  // namespace

}  // namespace larder

int main(int argc, char** argv) {
  auto const arguments = larder::parse_arguments(argc, argv, larder::version_line());
  if (auto const* exit_code = std::get_if<int>(&arguments)) return *exit_code;
  try {
    return larder::run(std::get<larder::Arguments>(arguments));
  } catch (std::exception const& error) {
    larder::log::flush();
    fmt::print(stderr, "larder: {}\n", error.what());
    return 1;
  }
}
