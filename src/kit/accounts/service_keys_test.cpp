#include "kit/accounts/service_keys_test.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>

#include <thread>

namespace larder::accounts {
namespace {

class ServiceKeysTest : public ServiceKeysCase {};
LARDER_ON_EACH_DATABASE(ServiceKeysTest);

TEST_P(ServiceKeysTest, a_key_just_made_opens_what_its_scopes_say) {
  auto const made = create("bot", {Scope::ledger, Scope::economy});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->token, "lk_" + made->key.id + "_" + made->token.substr(made->token.size() - 64));
  auto const caller = authenticate("Bearer " + made->token);
  ASSERT_TRUE(caller);
  EXPECT_EQ(caller->id, made->key.id);
  EXPECT_EQ(caller->name, "bot");
  EXPECT_TRUE(caller->allows(Scope::ledger));
  EXPECT_TRUE(caller->allows(Scope::economy));
  EXPECT_FALSE(caller->allows(Scope::tribes));
  EXPECT_FALSE(caller->allows(Scope::admin));
}

TEST_P(ServiceKeysTest, only_a_hash_of_the_token_is_stored) {
  auto const token = create("bot", {Scope::ledger})->token;
  auto const stored = list().at(0);
  EXPECT_EQ(stored.hash.size(), 64u);
  EXPECT_EQ(stored.hash.find(token.substr(token.size() - 64)), std::string::npos);
}

TEST_P(ServiceKeysTest, what_is_not_a_valid_key_is_unauthorized_and_not_repeated) {
  auto const token = create("bot", {Scope::ledger})->token;
  auto wrong = token;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  for (std::string const& header :
       {std::string(), std::string("Bearer"), std::string("Bearer "), "Basic " + token, token,
        std::string("Bearer lk_"), std::string("Bearer lk__"), "Bearer " + token + "0", "Bearer " + wrong,
        "Bearer lk_nobody_" + std::string(64, '0'), std::string("Bearer eyJhbGciOi.J9.x")}) {
    auto const caller = authenticate(header);
    ASSERT_FALSE(caller) << header;
    EXPECT_EQ(caller.error().code, errors::unauthorized);
    EXPECT_FALSE(caller.error().detail.empty());
    EXPECT_EQ(caller.error().detail.find("lk_"), std::string::npos);
  }
  EXPECT_EQ(who("bEaReR " + token), "bot");
}

TEST_P(ServiceKeysTest, unknown_tokens_read_the_table_once_per_second_at_most) {
  auto const unknown = "Bearer lk_nobody_" + std::string(64, '0');
  auto const reads = [this] {
    auto const text = metrics.text();
    std::string const label = "larder_sql_seconds_count{op=\"read\"} ";
    return std::stoi(text.substr(text.find(label) + label.size()));
  };
  EXPECT_EQ(who(unknown), "unauthorized");
  auto const before = reads();
  for (int i = 0; i < 50; ++i) EXPECT_EQ(who(unknown), "unauthorized");
  EXPECT_EQ(reads(), before);
  auto const token = create("late", {Scope::ledger})->token;
  clock.advance(1000);
  EXPECT_EQ(who("Bearer " + token), "late");
  EXPECT_EQ(reads(), before + 1);
}

TEST_P(ServiceKeysTest, a_revoked_key_stops_working_with_the_next_refresh) {
  auto const made = create("bot", {Scope::admin}).value();
  EXPECT_EQ(who("Bearer " + made.token), "bot");
  auto const revoked = revoke(made.key.id);
  ASSERT_TRUE(revoked);
  EXPECT_EQ(revoked->revoked_at, clock.now());
  run(keys.refresh());
  EXPECT_EQ(who("Bearer " + made.token), "unauthorized");

  auto const first = clock.now();
  clock.advance(60'000);
  EXPECT_EQ(revoke(made.key.id)->revoked_at, first);
}

TEST_P(ServiceKeysTest, revoking_an_unknown_key_is_refused_by_name) {
  EXPECT_EQ(revoke("nobody").error().code, errors::service_key_not_found);
}

TEST_P(ServiceKeysTest, keep_fresh_reads_the_keys_and_ends_when_it_is_cancelled) {
  auto const token = create("bot", {Scope::ledger})->token;
  asio::io_context context;
  asio::cancellation_signal stop;
  bool ended = false;
  asio::co_spawn(context.get_executor(), keys.keep_fresh(),
                 asio::bind_cancellation_slot(stop.slot(), [&](std::exception_ptr) { ended = true; }));
  std::string name;
  asio::co_spawn(
      context.get_executor(),
      [&]() -> Task<void> {
        auto const header = "Bearer " + token;
        auto const caller = co_await keys.authenticate({.authorization = header});
        name = caller ? caller->name : "";
        stop.emit(asio::cancellation_type::terminal);
      },
      asio::detached);
  context.run();
  EXPECT_EQ(name, "bot");
  EXPECT_TRUE(ended);
}

TEST_P(ServiceKeysTest, wrong_names_and_scopes_are_refused_with_the_field) {
  for (std::string const& name : {std::string(), std::string(65, 'a'), std::string("a b"), std::string("a'b"),
                                  std::string("caf\xC3\xA9")}) {
    auto const made = create(name, {Scope::ledger});
    ASSERT_FALSE(made) << name;
    EXPECT_EQ(made.error().field, "name");
  }
  EXPECT_EQ(create("bot", {}).error().field, "scopes");
  EXPECT_TRUE(create(std::string(64, 'a'), {Scope::ledger}));
  EXPECT_EQ(list().size(), 1u);
}

TEST_P(ServiceKeysTest, an_admin_key_is_made_once_and_not_again_when_it_is_revoked) {
  auto const first = create_first_admin_key(sql, clock.now());
  ASSERT_TRUE(first);
  EXPECT_TRUE(authenticate("Bearer " + first->token)->allows(Scope::tribes));
  EXPECT_FALSE(create_first_admin_key(sql, clock.now()));
  EXPECT_TRUE(revoke(first->key.id));
  EXPECT_FALSE(create_first_admin_key(sql, clock.now()));
  EXPECT_EQ(list().size(), 1u);
}

TEST_P(ServiceKeysTest, no_admin_key_is_made_beside_one_that_somebody_has_made) {
  auto const own = create("own", {Scope::admin}).value();
  EXPECT_FALSE(create_first_admin_key(sql, clock.now()));
  ASSERT_TRUE(change(own.key.id, {.scopes = ScopeSet{Scope::ledger}}));
  EXPECT_FALSE(create_first_admin_key(sql, clock.now()));
  EXPECT_EQ(list().size(), 1u);
}

TEST_P(ServiceKeysTest, a_key_without_the_scope_admin_does_not_stand_in_for_the_first_one) {
  ASSERT_TRUE(create("bot", {Scope::ledger}));
  EXPECT_TRUE(create_first_admin_key(sql, clock.now()));
}

TEST_P(ServiceKeysTest, two_servers_that_start_at_once_make_one_admin_key) {
  sql::Database other(url, 1, metrics);
  std::optional<NewServiceKey> there;
  std::thread beside([&] { there = create_first_admin_key(other, clock.now()); });
  auto const here = create_first_admin_key(sql, clock.now());
  beside.join();
  EXPECT_NE(here.has_value(), there.has_value());
  EXPECT_EQ(list().size(), 1u);
}

TEST_P(ServiceKeysTest, known_keys_work_while_the_database_is_away) {
  if (!server) GTEST_SKIP() << "SQLite is never away";
  auto const header = "Bearer " + create("bot", {Scope::ledger})->token;
  EXPECT_EQ(who(header), "bot");
  server->stop();
  clock.advance(1000);
  auto const unknown = "Bearer lk_nobody_" + std::string(64, '0');
  EXPECT_THROW(who(unknown), StoreError);  // asks SQL
  EXPECT_THROW(who(unknown), StoreError);  // does not ask again within a second
  EXPECT_EQ(who(header), "bot");
  server->start();
}

TEST(Scopes, read_and_write_lists) {
  EXPECT_EQ(ScopeSet::parse("economy,ledger")->text(), "ledger,economy");
  EXPECT_EQ(ScopeSet::parse("admin").value(), ScopeSet{Scope::admin});
  for (std::string_view wrong : {"", ",", "ledger,", "Ledger", "ledger, economy", "all"}) {
    auto const scopes = ScopeSet::parse(wrong);
    ASSERT_FALSE(scopes) << wrong;
    EXPECT_EQ(scopes.error().field, "scopes");
  }
  EXPECT_EQ(ScopeSet::parse_known("ledger,from_the_future").text(), "ledger");
}

}  // namespace
}  // namespace larder::accounts
