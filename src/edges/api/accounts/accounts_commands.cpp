#include "edges/api/accounts/accounts_commands.hpp"

#include "base/number.hpp"
#include "edges/api/accounts/accounts_background.hpp"
#include "edges/cli/command_redis.hpp"
#include "edges/cli/progress_line.hpp"
#include "edges/cli/words.hpp"
#include "kit/accounts/account_rebuild.hpp"
#include "kit/accounts/account_store.hpp"
#include "kit/accounts/account_table.hpp"
#include "kit/accounts/player_ids.hpp"

#include <fmt/format.h>

#include <iostream>

namespace larder::api {

namespace {

using accounts::Account;

template <class T>
T required_value(Result<T> result) {
  if (!result) throw SetupError(result.error().detail);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// The stores of a command that works on one account.
class Workplace {
 public:
  explicit Workplace(cli::Context& context)
      : sql_(context.sql()),
        metrics_(context.metrics()),
        redis_(context.config(), context.metrics(), cli::CommandRedis::If::it_runs_use_it),
        store_(*redis_) {}

  // By id, or else by name. No name has the form of an id.
  Account find(std::string const& who) {
    auto const id = accounts::is_player_id(who) ? UserId::from(who) : std::nullopt;
    auto account =
        cli::run_here(redis_.io, id ? store_.find(*id) : store_.find_by_name(accounts::fold_name(who)));
    if (!account) {
      throw SetupError(fmt::format("there is no account {}; `larder user list` shows all accounts", who));
    }
    return std::move(*account);
  }

  // An account that could not be restored after a loss, because another account has its name.
  std::optional<Account> find_in_sql_only(std::string const& who) {
    auto const id = accounts::is_player_id(who) ? UserId::from(who) : std::nullopt;
    if (!id || cli::run_here(redis_.io, store_.find(*id))) return std::nullopt;
    auto const row =
        sql_.read_now([&](sql::Session& session) { return accounts::find_account_row(session, *id); });
    return row && !row->deleted_at ? std::optional(row->account) : std::nullopt;
  }
  void delete_in_sql(Account const& account) {
    accounts::AccountEvent const event{
        .type = "deleted",
        .at = now(),
        .account = {
            .id = account.id, .generation = account.generation + 1, .created_at = account.created_at}};
    sql_.write_now(
        [&](sql::Session& session) { accounts::write_account_events(session, std::span(&event, 1)); });
    cli::run_here(redis_.io, forget(account.id));
  }

  // Runs a change and brings its event to SQL, because there may be no running server that would do it.
  // Perhaps no server has ever run, so the outbox may be new.
  std::int64_t change(Task<Result<std::int64_t>> change) {
    cli::run_here(redis_.io, open_outbox());
    auto const generation = required_value(cli::run_here(redis_.io, std::move(change)));
    cli::run_here(redis_.io, project());
    return generation;
  }

  accounts::AccountStore& store() { return store_; }
  TimeMs now() const { return clock_.now(); }

 private:
  Task<bool> forget(UserId id) {
    co_await store_.schedule_deletion(std::move(id), now());
    co_return true;
  }

  Task<bool> open_outbox() {
    co_await events::open_outboxes_or_refuse(*redis_, sql_, {accounts::AccountKeys::outbox()});
    co_return true;
  }

  Task<bool> project() {
    events::Projector projector(redis_.io, *redis_, sql_, clock_, accounts_projector_options(),
                                project_account_events, metrics_);
    projector.start();
    co_await projector.stop();
    co_return true;
  }

  sql::Database& sql_;
  Metrics& metrics_;
  SystemClock clock_;
  cli::CommandRedis redis_;
  accounts::AccountStore store_;
};

void check_utf8(std::string_view option, std::string const& text) {
  if (!is_utf8(text)) throw SetupError(fmt::format("{} must be UTF-8", option));
}

std::string account_named(cli::Context const& context) {
  auto who = context.value("account");
  check_utf8("account", who);
  return who;
}

int list_users(cli::Context& context) {
  auto const prefix = context.value("--prefix");
  check_utf8("--prefix", prefix);
  auto const limit = context.value("--limit").empty() ? limits::page_default
                                                      : parse_int(context.value("--limit")).value_or(0);
  constexpr int limit_max = 100'000;
  if (limit < 1 || limit > limit_max) throw SetupError(fmt::format("--limit must be 1 to {}", limit_max));
  auto const found = context.sql().read_now([&](sql::Session& session) {
    return accounts::list_accounts_by_name(session, accounts::fold_name(prefix), int(limit));
  });
  fmt::print("{:<20}  {:<24}  {:<8}  {}\n", "ID", "CREATED", "STATE", "NAME");
  for (auto const& [account, deleted_at] : found) {
    fmt::print("{:<20}  {:<24}  {:<8}  {}\n", account.id.str(), to_rfc3339(account.created_at),
               account.disabled ? "disabled" : "active", account.username);
  }
  return 0;
}

int show_user(cli::Context& context) {
  Workplace at(context);
  auto const account = at.find(account_named(context));
  fmt::print("id: {}\nname: {}\ncreated: {}\nstate: {}\n", account.id.str(), account.username,
             to_rfc3339(account.created_at), account.disabled ? "disabled" : "active");
  return 0;
}

// Four groups of five characters: 100 bits that can be read aloud.
std::string random_password() {
  std::string text;
  for (int group = 0; group < 4; ++group) {
    text += (group > 0 ? "-" : "") + accounts::random_base32(5);
  }
  return text;
}

int reset_password(cli::Context& context) {
  Workplace at(context);
  auto const account = at.find(account_named(context));
  bool const given = context.value("password") == "-";
  if (!given && !context.value("password").empty()) {
    throw SetupError("a password on the command line can be seen by others; write - to read it from stdin");
  }
  std::string password;
  if (given) {
    std::getline(std::cin, password);
    check_utf8("the password", password);
  } else {
    password = random_password();
  }
  auto const name = required_value(accounts::PlayerName::parse(account.username));
  required_value(accounts::check_password(password, name, "password"));
  CpuPool pool(1, 1);
  accounts::Passwords passwords(pool);
  asio::io_context io{1};
  auto const hash = required_value(cli::run_here(io, passwords.hash(password)));
  at.change(at.store().set_password(account.id, hash, "", at.now()));
  if (!given) fmt::print("{}\n", password);
  fmt::print(stderr, "account {} ({}) has a new password{}; its sessions have ended\n", account.id.str(),
             account.username, given ? "" : ", which is not shown again");
  return 0;
}

int delete_user(cli::Context& context) {
  Workplace at(context);
  auto const who = account_named(context);
  if (auto const lost = at.find_in_sql_only(who)) {
    at.delete_in_sql(*lost);
    fmt::print("account {} ({}) is deleted; only SQL had it\n", lost->id.str(), lost->username);
    return 0;
  }
  auto const account = at.find(who);
  at.change(at.store().remove(account, "", at.now()));
  fmt::print("account {} ({}) is deleted\n", account.id.str(), account.username);
  return 0;
}

int set_disabled(cli::Context& context, bool disabled) {
  Workplace at(context);
  auto const account = at.find(account_named(context));
  at.change(at.store().set_disabled(account.id, disabled, at.now()));
  fmt::print("account {} ({}) is {}\n", account.id.str(), account.username,
             disabled ? "disabled; its sessions have ended" : "enabled");
  return 0;
}

int verify_users(cli::Context& context) {
  auto& sql = context.sql();
  cli::CommandRedis redis(context.config(), context.metrics(), cli::CommandRedis::If::it_runs_use_it);
  cli::ProgressLine line;
  accounts::VerifyOptions const options{.difference =
                                            [&](std::string const& difference) {
                                              line.clear();
                                              fmt::print("{}\n", difference);
                                            },
                                        .progress =
                                            [&](accounts::VerifyReport const& so_far) {
                                              line.show([&](double seconds) {
                                                return fmt::format("{} accounts ({})", so_far.accounts,
                                                                   cli::per_second(so_far.accounts, seconds));
                                              });
                                            },
                                        .settle = [&]() -> Task<void> {
                                          co_await events::caught_up(*redis, accounts::AccountKeys::outbox(),
                                                                     std::chrono::seconds(10));
                                        }};
  auto const report = cli::run_here(redis.io, accounts::verify(*redis, sql, options));
  line.clear();
  fmt::print("{}: compared {} with Redis, and the accounts of Redis with SQL\n",
             cli::differences(report.differences), cli::counted(report.accounts, "account"));
  return report.differences == 0 ? 0 : 1;
}

int rotate_keys(cli::Context& context) {
  bool const forced = !context.value("--force").empty();
  auto const now = SystemClock{}.now();
  auto const number = context.sql().write_now([&](sql::Session& session) {
    auto const safe_at = accounts::rotation_is_safe_at(session);
    if (!forced && safe_at > now) {
      throw SetupError(fmt::format(
          "the keys were rotated less than 48 hours ago, and players are still logged in with the "
          "key that would be dropped; rotate after {}, or use --force, which logs these players "
          "out",
          to_rfc3339(safe_at)));
    }
    return accounts::rotate_session_keys(session, now);
  });
  fmt::print("session key {} signs new sessions from {} on; sessions of the key before it stay valid\n",
             number, to_rfc3339(now + accounts::SessionKeys::settle_ms));
  return 0;
}

cli::Option account_option() {
  return {.name = "account", .help = "the id or the name of the account", .required = true};
}

std::vector<cli::Command> user_commands() {
  return {
      {.name = "user",
       .summary = "Lists and changes the accounts of players",
       .example = "larder user list --prefix ada"},
      {.name = "user list",
       .summary = "Lists accounts by name",
       .example = "larder user list --prefix ada --limit 10",
       .options = {{.name = "--prefix", .help = "only names that begin like this; case does not matter"},
                   {.name = "--limit", .help = "how many at most (default: 50)"}},
       .run = list_users},
      {.name = "user show",
       .summary = "Shows one account",
       .example = "larder user show ada",
       .options = {account_option()},
       .run = show_user},
      {.name = "user reset-password",
       .summary = "Gives an account a new password and ends its sessions. Prints a random\n"
                  "password once, or reads one from stdin",
       .example = "larder user reset-password ada",
       .options = {account_option(), {.name = "password", .help = "-: read the password from stdin"}},
       .run = reset_password},
      {.name = "user delete",
       .summary = "Deletes an account. Its towns become ruins; SQL keeps its name in events and standings",
       .example = "larder user delete ada",
       .options = {account_option()},
       .run = delete_user},
      {.name = "user disable",
       .summary = "Ends the sessions of an account, and refuses its logins",
       .example = "larder user disable ada",
       .options = {account_option()},
       .run = [](cli::Context& context) { return set_disabled(context, true); }},
      {.name = "user enable",
       .summary = "Lets a disabled account log in again",
       .example = "larder user enable ada",
       .options = {account_option()},
       .run = [](cli::Context& context) { return set_disabled(context, false); }},
      {.name = "user verify",
       .summary = "Compares the accounts in Redis with those in SQL. Prints a line for each\n"
                  "difference; the exit code is 1 if there is any. It may run while servers\n"
                  "are running",
       .example = "larder user verify --data /var/lib/larder",
       .run = verify_users}};
}

}  // namespace

std::vector<cli::Command> accounts_commands() {
  auto commands = user_commands();
  commands.push_back({.name = "auth",
                      .summary = "Manages the keys that sign the sessions of players",
                      .example = "larder auth rotate"});
  commands.push_back({.name = "auth rotate",
                      .summary =
                          "Makes a new key for sessions. The key before it stays valid, the one before\n"
                          "that is dropped. Wait 48 hours between two rotations, so that no session ends\n"
                          "early",
                      .example = "larder auth rotate --data /var/lib/larder",
                      .options = {{.name = "--force",
                                   .help = "rotate within 48 hours, too; it logs players out",
                                   .flag = true}},
                      .run = rotate_keys});
  return commands;
}

}  // namespace larder::api
