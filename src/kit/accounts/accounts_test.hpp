// Servers with accounts of players, on one Redis and one database. Their clock stands still until a test
// moves it, and they poll only when a test says so.
#pragma once

#include "kit/accounts/account_keys.hpp"
#include "kit/accounts/accounts.hpp"
#include "kit/accounts/accounts_schema.hpp"
#include "kit/accounts/player_tokens.hpp"
#include "kit/events/outbox_positions.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"

#include <gtest/gtest.h>

namespace larder::accounts {

using namespace std::chrono_literals;

inline std::string const password = "correct horse";

inline PlayerName name(std::string_view text) { return PlayerName::parse(text).value(); }

// What the accounts of one server consist of.
struct TestServer {
  TestServer(std::string const& redis_url, std::string const& sql_url, TestClock const& its_clock)
      : clock(its_clock),
        redis(io, {.url = redis::parse_url(redis_url), .timeout = 5000ms, .tls_ca = {}}, metrics),
        sql(sql_url, 2, metrics) {
    migrate_accounts(sql);
    events::migrate_positions(sql);
    open();
    run(session_keys.load());
  }

  template <class T>
  T run(Task<T> task) {
    return test::run(io, std::move(task));
  }
  void open() { run(events::open_outboxes_or_refuse(redis, sql, {AccountKeys::outbox()})); }
  void poll() { run(revocations.poll(redis)); }
  SignedIn sign_up(std::string_view as) { return run(accounts.sign_up(name(as), password)).value(); }
  // The player's id, or the name of the refusal.
  std::string who(Credentials const& credentials) {
    auto const caller = run(tokens.authenticate(credentials));
    return caller ? caller->player_id : std::string(caller.error().code.name);
  }
  std::string who(std::string const& token) {
    auto const field = "Bearer " + token;
    return who(Credentials{.authorization = field});
  }
  Caller caller(std::string const& token) {
    auto const field = "Bearer " + token;
    return run(tokens.authenticate({.authorization = field})).value();
  }

  TestClock const& clock;
  asio::io_context io;
  Metrics metrics;
  CpuPool pool{2, 64};
  redis::Redis redis;
  sql::Database sql;
  Passwords passwords{pool};
  SessionKeys session_keys{sql, clock};
  Revocations revocations{clock};
  PlayerTokens tokens{session_keys, revocations, clock};
  int woken = 0;
  Shared shared{.clock = clock,
                .passwords = passwords,
                .session_keys = session_keys,
                .revocations = revocations,
                .wake_projector = [this] { ++woken; }};
  AccountStore store{redis};
  Accounts accounts{redis, shared};
};

// One server on one Redis and SQLite.
class AccountsTest : public testing::Test {
 protected:
  AccountsTest() { server.poll(); }

  std::string cli(std::vector<std::string> const& words) const { return redis.cli(words); }
  // Everything in Redis.
  std::string digest() const { return cli({"DEBUG", "DIGEST"}); }
  // The types of the events in the outbox, in order.
  std::string events() const {
    return cli({"EVAL",
                "local types = {} for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do "
                "types[#types + 1] = entry[2][2] end return table.concat(types, ' ')",
                "1", AccountKeys::outbox()});
  }

  test::TempDir dir;
  test::RedisServer redis{{.settings = {"enable-debug-command yes"}}};
  TestClock clock{SystemClock{}.now()};
  TestServer server{redis.url(), "sqlite:" + dir.file("test.db"), clock};
};

}  // namespace larder::accounts
