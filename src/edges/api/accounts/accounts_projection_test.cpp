#include "base/when_all.hpp"
#include "edges/api/accounts/accounts_background.hpp"
#include "kit/accounts/account_rebuild.hpp"
#include "kit/accounts/account_table.hpp"
#include "kit/accounts/accounts_test.hpp"
#include "kit/accounts/player_ids.hpp"
#include "support/sql_databases.hpp"

#include <map>
#include <ranges>

namespace larder::api {
namespace {

using accounts::Account;
using accounts::AccountEvent;
using accounts::AccountKeys;
using accounts::AccountRow;
using accounts::name;
using accounts::password;
using accounts::TestServer;

class AccountsInSqlTest : public test::OnEachDatabase {
 protected:
  AccountsInSqlTest() {
    events::migrate_positions(at.sql);
    at.poll();
  }

  events::Projector projector() {
    return {at.io, at.redis, at.sql, clock, accounts_projector_options(), project_account_events, at.metrics};
  }
  // Brings the events to SQL as a server does.
  void project() {
    auto moving = projector();
    moving.start();
    at.run(moving.stop());
    EXPECT_EQ(redis.cli({"XLEN", AccountKeys::outbox()}), "0");
  }
  std::optional<AccountRow> row(UserId const& id) {
    return at.sql.read_now([&](sql::Session& session) { return accounts::find_account_row(session, id); });
  }
  void write(std::vector<AccountEvent> const& events) {
    at.sql.write_now([&](sql::Session& session) { write_account_events(session, events); });
  }
  std::vector<std::string> names(std::string const& prefix, int limit = 10) {
    std::vector<std::string> found;
    for (auto const& listed : at.sql.read_now([&](sql::Session& session) {
           return accounts::list_accounts_by_name(session, prefix, limit);
         })) {
      found.push_back(listed.account.username);
    }
    return found;
  }
  std::vector<std::string> found(std::string const& prefix, int limit = 10) {
    std::vector<std::string> names;
    for (auto const& account : at.sql.read_now([&](sql::Session& session) {
           return accounts::find_accounts_by_name(session, prefix, limit);
         })) {
      names.push_back(account.username);
    }
    return names;
  }
  Account account(UserId const& id) { return at.run(at.store.find(id)).value(); }
  std::vector<std::string> differences() {
    std::vector<std::string> found;
    auto const report = at.run(accounts::verify(
        at.redis, at.sql, {.difference = [&](std::string const& line) { found.push_back(line); }}));
    EXPECT_EQ(report.differences, std::int64_t(found.size()));
    return found;
  }
  accounts::RebuildReport rebuild(std::vector<std::string>* problems = nullptr) {
    auto report = at.run(accounts::rebuild(at.redis, at.sql, clock, {.problem = [=](std::string const& line) {
                                             if (problems) problems->push_back(line);
                                           }}));
    at.run(events::restore_outbox(at.redis, at.sql, AccountKeys::outbox(), {}));
    return report;
  }

  test::RedisServer redis;
  TestClock clock{SystemClock{}.now()};
  TestServer at{redis.url(), url, clock};
};
LARDER_ON_EACH_DATABASE(AccountsInSqlTest);

TEST_P(AccountsInSqlTest, sql_follows_every_change) {
  auto const ada = at.sign_up("Straße");
  project();
  EXPECT_EQ(row(ada.id)->account, account(ada.id));
  EXPECT_EQ(row(ada.id)->deleted_at, std::nullopt);
  EXPECT_TRUE(at.run(at.accounts.change_password(account(ada.id), password, "another one")));
  EXPECT_TRUE(at.run(at.store.set_disabled(ada.id, true, clock.now())));
  project();
  EXPECT_EQ(row(ada.id)->account, account(ada.id));
  EXPECT_TRUE(at.run(at.store.set_disabled(ada.id, false, clock.now())));
  project();
  EXPECT_EQ(row(ada.id)->account, account(ada.id));
  EXPECT_EQ(differences(), std::vector<std::string>());
}

TEST_P(AccountsInSqlTest, of_a_deleted_account_sql_keeps_only_the_id) {
  auto const ada = at.sign_up("Ada");
  project();
  EXPECT_TRUE(at.run(at.store.remove(account(ada.id), "", clock.now())));
  project();
  auto const left = row(ada.id).value();
  EXPECT_EQ(left.deleted_at, clock.now());
  EXPECT_EQ(left.account.username, "");
  EXPECT_EQ(left.account.hashed_password, "");
  EXPECT_EQ(names(""), std::vector<std::string>());
  EXPECT_EQ(at.sql.read_now([](sql::Session& session) {
    return session.query("SELECT name_key FROM account").at(0).text(0);
  }),
            "");
  EXPECT_EQ(differences(), std::vector<std::string>());
}

TEST_P(AccountsInSqlTest, events_may_come_twice_and_late) {
  auto const id = accounts::new_player_id(clock.now());
  auto const event = [&](std::string type, std::int64_t generation, std::string hash, bool disabled) {
    return AccountEvent{.type = std::move(type),
                        .at = clock.now() + generation,
                        .account = {.id = id,
                                    .username = hash.empty() ? "" : "Ada",
                                    .hashed_password = std::move(hash),
                                    .generation = generation,
                                    .disabled = disabled,
                                    .created_at = clock.now()}};
  };
  auto const registered = event("registered", 1, "one", false);
  auto const changed = event("password_changed", 2, "two", false);
  auto const disabled = event("disabled", 4, "two", true);
  auto const deleted = event("deleted", 6, "", false);
  write({registered, changed});
  write({registered});
  EXPECT_EQ(row(id)->account, changed.account);
  write({disabled});
  write({registered, changed, disabled});
  EXPECT_EQ(row(id)->account, disabled.account);
  write({changed});
  EXPECT_EQ(row(id)->account, disabled.account);
  write({disabled, deleted});
  write({registered, changed});
  write({disabled});
  EXPECT_EQ(row(id)->account, deleted.account);
  EXPECT_EQ(row(id)->deleted_at, deleted.at);
  write({});
}

TEST_P(AccountsInSqlTest, a_projector_that_died_before_it_trimmed_does_no_harm) {
  auto const ada = at.sign_up("Ada");
  // SQL has the event and the outbox, too.
  auto const waiting = at.run(events::read_events(at.redis, AccountKeys::outbox(), "-", "+", 10));
  at.sql.write_now([&](sql::Session& session) { project_account_events(session, "", waiting); });
  EXPECT_TRUE(at.run(at.store.set_disabled(ada.id, true, clock.now())));
  project();
  EXPECT_EQ(row(ada.id)->account, account(ada.id));
  EXPECT_TRUE(row(ada.id)->account.disabled);
}

TEST_P(AccountsInSqlTest, listeners_learn_neither_names_nor_hashes) {
  at.sign_up("Ada");
  auto const event = at.run(events::read_events(at.redis, AccountKeys::outbox(), "-", "+", 1)).at(0);
  auto const told = account_to_feed("", event);
  EXPECT_EQ(told.type, "account_registered");
  EXPECT_EQ(told.user_id, event.field("user_id"));
  EXPECT_EQ(told.data, R"({"id":")" + event.id + R"("})");
}

TEST_P(AccountsInSqlTest, accounts_are_listed_by_the_beginning_of_their_names) {
  for (auto const* each : {"Ada", "ada_b", "adaxb", "Bea", "Ärmel"}) at.sign_up(each);
  project();
  EXPECT_EQ(names("ada").size(), 3u);
  EXPECT_EQ(names("ada_"), std::vector<std::string>{"ada_b"}) << "an underscore is no wildcard";
  EXPECT_EQ(names("är"), std::vector<std::string>{"Ärmel"});
  EXPECT_EQ(names("", 2).size(), 2u);
  EXPECT_EQ(names("%"), std::vector<std::string>());
  EXPECT_EQ(found("ADA"), names("ada"));
  EXPECT_EQ(found("Är"), std::vector<std::string>{"Ärmel"});
  EXPECT_EQ(found("ada_"), std::vector<std::string>{"ada_b"});
  EXPECT_EQ(found("ada", 2).size(), 2u);
  EXPECT_EQ(found(""), std::vector<std::string>());
  EXPECT_EQ(found("\xC2\xAD"), std::vector<std::string>()) << "nothing is left of it when it is folded";
}

TEST_P(AccountsInSqlTest, a_lost_redis_is_rebuilt_and_every_session_ends) {
  auto const ada = at.sign_up("Ada");
  auto const bea = at.sign_up("Bea");
  auto const gone = at.sign_up("Gone");
  EXPECT_TRUE(at.run(at.store.set_disabled(bea.id, true, clock.now())));
  EXPECT_TRUE(at.run(at.store.remove(account(gone.id), "", clock.now())));
  project();
  auto const before = account(ada.id);
  EXPECT_FALSE(at.run(accounts::is_lost(at.redis, at.sql)));
  redis.cli({"FLUSHALL"});
  EXPECT_TRUE(at.run(accounts::is_lost(at.redis, at.sql)));
  EXPECT_EQ(differences().size(), 3u) << "two accounts, and the events";

  auto const report = rebuild();
  EXPECT_EQ(report.accounts, 2);
  EXPECT_EQ(report.deletions, 1);
  EXPECT_EQ(report.problems, 0);
  EXPECT_FALSE(at.run(accounts::is_lost(at.redis, at.sql)));
  EXPECT_EQ(rebuild().accounts, 0) << "once more";
  EXPECT_EQ(differences(), std::vector<std::string>());
  auto after = account(ada.id);
  EXPECT_GT(std::exchange(after.generation, before.generation), before.generation);
  EXPECT_EQ(after, before);
  EXPECT_TRUE(account(bea.id).disabled);
  EXPECT_EQ(redis.cli({"ZRANGE", AccountKeys::deletions(), "0", "-1"}), gone.id.str());

  at.run(at.session_keys.refresh());
  EXPECT_EQ(at.who(ada.token), "unauthorized");
  auto const again = at.run(at.accounts.log_in("ADA", password)).value();
  EXPECT_EQ(again.id, ada.id);
  EXPECT_EQ(at.who(again.token), ada.id.str());
  EXPECT_TRUE(at.run(at.store.set_disabled(ada.id, true, clock.now())));
  project();
  EXPECT_TRUE(row(ada.id)->account.disabled) << "SQL takes events after a rebuild";
}

TEST_P(AccountsInSqlTest, a_rebuild_leaves_alone_what_redis_has) {
  auto const ada = at.sign_up("Ada");
  auto const bea = at.sign_up("Bea");
  project();
  redis.cli({"FLUSHALL"});
  // Only an earlier version lets somebody register in an emptied Redis.
  redis.cli({"XADD", AccountKeys::outbox(), "MAXLEN", "0", "0-1", "created", "1"});
  auto const other = at.sign_up("ADA");
  std::vector<std::string> problems;
  EXPECT_EQ(rebuild(&problems).accounts, 1);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(problems[0].starts_with(fmt::format(
      "account {} is not restored, because {} has the name Ada, too", ada.id.str(), other.id.str())))
      << problems[0];
  EXPECT_FALSE(at.run(accounts::is_lost(at.redis, at.sql))) << "servers start in spite of the problem";
  EXPECT_EQ(at.run(at.store.find_by_name("ada"))->id, other.id);
  EXPECT_EQ(at.run(at.store.find_by_name("bea"))->id, bea.id);
}

TEST_P(AccountsInSqlTest, an_older_redis_is_noticed_and_brought_up_to_date) {
  auto const ada = at.sign_up("Ada");
  auto const gone = at.sign_up("Gone");
  project();
  auto const keys = redis.cli({"KEYS", "*"});
  for (auto const& key : std::views::split(keys, '\n')) {
    std::string const name(key.begin(), key.end());
    redis.cli({"COPY", name, name, "DB", "1"});
  }
  EXPECT_TRUE(at.run(at.accounts.change_password(account(ada.id), password, "another one")));
  EXPECT_TRUE(at.run(at.store.remove(account(gone.id), "", clock.now())));
  auto const new_gone = at.sign_up("GONE");
  project();
  EXPECT_FALSE(at.run(accounts::is_incomplete(at.redis, at.sql)));
  redis.cli({"FLUSHDB"});
  redis.cli({"SWAPDB", "0", "1"});
  EXPECT_FALSE(at.run(accounts::is_lost(at.redis, at.sql)));
  EXPECT_TRUE(at.run(accounts::is_behind(at.redis, at.sql)));
  auto const found = differences();
  ASSERT_EQ(found.size(), 4u);
  EXPECT_TRUE(found[0].starts_with("SQL has events of accounts up to"));

  EXPECT_EQ(rebuild().accounts, 2);
  EXPECT_FALSE(at.run(accounts::is_incomplete(at.redis, at.sql)));
  project();
  EXPECT_EQ(differences(), std::vector<std::string>());
  EXPECT_EQ(at.run(at.store.find_by_name("gone"))->id, new_gone.id);
  at.run(at.session_keys.refresh());
  EXPECT_TRUE(at.run(at.accounts.log_in("ada", "another one")));
}

TEST_P(AccountsInSqlTest, one_lost_account_comes_back) {
  auto const ada = at.sign_up("Ada");
  auto const bea = at.sign_up("Bea");
  project();
  auto const before = account(bea.id);
  redis.cli({"DEL", "user:" + ada.id.str(), "username:ada"});
  EXPECT_TRUE(at.run(accounts::is_incomplete(at.redis, at.sql)));
  EXPECT_EQ(rebuild().accounts, 1);
  EXPECT_EQ(differences(), std::vector<std::string>());
  EXPECT_EQ(account(bea.id), before);
}

TEST_P(AccountsInSqlTest, a_rebuild_does_not_lose_what_only_the_outbox_has) {
  auto const ada = at.sign_up("Ada");
  project();
  EXPECT_TRUE(at.run(at.accounts.change_password(account(ada.id), password, "another one")));
  auto const bea = at.sign_up("Bea");
  redis.cli({"DEL", "user:" + ada.id.str(), "user:" + bea.id.str(), "username:bea"});
  EXPECT_EQ(rebuild().accounts, 2);
  project();
  EXPECT_EQ(differences(), std::vector<std::string>());
  at.run(at.session_keys.refresh());
  EXPECT_TRUE(at.run(at.accounts.log_in("ada", "another one")));
}

TEST_P(AccountsInSqlTest, verify_names_every_difference) {
  std::map<std::string, UserId> ids;
  for (std::string const each :
       {"lost", "renamed", "password", "disabled", "created", "nameless", "older", "same"}) {
    ids[each] = at.sign_up(each).id;
    clock.advance(1);
  }
  project();
  auto const key = [&](std::string const& who) { return "user:" + ids.at(who).str(); };
  redis.cli({"DEL", key("lost")});
  redis.cli({"HSET", key("renamed"), "username", "other"});
  redis.cli({"HSET", key("password"), "hashed_password", "other"});
  redis.cli({"HSET", key("disabled"), "disabled", "1"});
  redis.cli({"HSET", key("created"), "created_at", "1"});
  redis.cli({"DEL", "username:nameless"});
  redis.cli({"HSET", key("older"), "generation", "0"});
  redis.cli({"SET", "username:ghost", accounts::new_player_id(clock.now()).str()});
  redis.cli({"SET", "username:alias", ids.at("same").str()});
  redis.cli({"SET", key("same") + ":gamestate", "{}"});  // a key of another system
  auto const unknown = at.sign_up("unknown").id;         // its event has not reached SQL
  auto const line = [&](UserId const& id, std::string_view what) {
    return fmt::format("account {}: {}", id.str(), what);
  };
  EXPECT_EQ(differences(),
            (std::vector<std::string>{
                line(ids["lost"], "SQL has it, but Redis does not"), line(ids["renamed"], "its name differs"),
                line(ids["password"], "its password differs"),
                line(ids["disabled"], "only one store says that it is disabled"),
                line(ids["created"], "the time of its creation differs"),
                line(ids["nameless"], "its name does not lead to it"),
                line(ids["older"], "Redis has generation 0, SQL has 1: this Redis is older than SQL"),
                line(unknown, "Redis has it, but SQL does not"),
                fmt::format("name alias: it leads to account {}, which has another name", ids["same"].str()),
                "name ghost: it leads to no account", "name lost: it leads to no account",
                fmt::format("name renamed: it leads to account {}, which has another name",
                            ids["renamed"].str())}));
  auto const settled = at.run(accounts::verify(at.redis, at.sql, {.settle = [this]() -> Task<void> {
                                                 auto moving = projector();
                                                 moving.start();
                                                 co_await moving.stop();
                                               }}));
  EXPECT_EQ(settled.differences, 11) << "an event that is on its way is no difference";
}

}  // namespace
}  // namespace larder::api
