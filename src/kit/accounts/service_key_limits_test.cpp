// What a service key may do beside its scopes: limits, expiry, rotation, and when it was last used.
#include "base/limits.hpp"
#include "kit/accounts/service_keys_test.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>

namespace larder::accounts {
namespace {

class KeyLimitsTest : public ServiceKeysCase {
 protected:
  std::optional<TimeMs> last_use(std::string const& id) {
    for (auto const& key : list()) {
      if (key.id == id) return key.last_used_at;
    }
    return std::nullopt;
  }
};
LARDER_ON_EACH_DATABASE(KeyLimitsTest);

TEST_P(KeyLimitsTest, a_caller_knows_the_limits_of_its_key) {
  auto const made =
      create({.name = "bot", .scopes = {Scope::economy}, .realms = {"b", "a", "b"}, .read_only = true})
          .value();
  auto const caller = authenticate("Bearer " + made.token);
  ASSERT_TRUE(caller);
  EXPECT_TRUE(caller->read_only);
  EXPECT_EQ(caller->realms, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(caller->scopes, ScopeSet{Scope::economy});
}

TEST_P(KeyLimitsTest, a_limited_key_opens_nothing_on_a_server_that_knows_no_limits) {
  // Such a server reads the scopes with this function.
  auto const opens_there = [&](KeyTerms const& terms) {
    return ScopeSet::parse_known(stored_scopes_of(create(terms)->key.id));
  };
  EXPECT_EQ(opens_there({.name = "a", .scopes = {Scope::ledger, Scope::admin}}),
            (ScopeSet{Scope::ledger, Scope::admin}));
  EXPECT_EQ(opens_there({.name = "b", .scopes = {Scope::ledger, Scope::admin}, .read_only = true}),
            ScopeSet{});
  EXPECT_EQ(opens_there({.name = "c", .scopes = {Scope::economy}, .realms = {"main"}}), ScopeSet{});
  EXPECT_EQ(opens_there({.name = "d", .scopes = {Scope::tribes}, .expires_at = clock.now() + 1}), ScopeSet{});

  auto const key = create("e", {Scope::ledger})->key;
  ASSERT_TRUE(change(key.id, {.read_only = true}));
  EXPECT_EQ(ScopeSet::parse_known(stored_scopes_of(key.id)), ScopeSet{});
  ASSERT_TRUE(change(key.id, {.read_only = false}));
  EXPECT_EQ(ScopeSet::parse_known(stored_scopes_of(key.id)), ScopeSet{Scope::ledger});
}

TEST_P(KeyLimitsTest, every_scope_fits_into_the_table_with_limits) {
  ScopeSet all;
  for (std::size_t i = 0; i < scope_names.size(); ++i) all.add(Scope(i));
  auto const made = create({.name = "bot", .scopes = all, .read_only = true}).value();
  EXPECT_EQ(list().at(0).terms.scopes, all);
  EXPECT_TRUE(authenticate("Bearer " + made.token)->allows(Scope::discord));
}

TEST_P(KeyLimitsTest, wrong_limits_are_refused_with_the_field) {
  auto const field = [&](KeyTerms const& terms) {
    auto const made = create(terms);
    return made ? std::string() : made.error().field;
  };
  std::vector<std::string> const many(limits::key_realms_max + 1, "a");
  std::vector<std::vector<std::string>> const wrong{{""}, {"a b"}, {std::string(65, 'a')}, {"a,b"}, many};
  for (auto const& realms : wrong)
    EXPECT_EQ(field({.name = "bot", .scopes = {Scope::economy}, .realms = realms}), "realms");
  for (auto const& scopes :
       std::vector<ScopeSet>{{Scope::ledger}, {Scope::economy, Scope::ledger}, {Scope::admin}})
    EXPECT_EQ(field({.name = "bot", .scopes = scopes, .realms = {"main"}}), "realms");
  EXPECT_EQ(field({.name = "bot", .scopes = {Scope::ledger}, .expires_at = clock.now()}), "expires_at");
  EXPECT_TRUE(list().empty());
}

TEST_P(KeyLimitsTest, a_key_ends_by_itself_and_can_be_prolonged) {
  auto const made =
      create({.name = "bot", .scopes = {Scope::ledger}, .expires_at = clock.now() + 1000}).value();
  auto const header = "Bearer " + made.token;
  EXPECT_EQ(who(header), "bot");
  clock.advance(999);
  EXPECT_EQ(who(header), "bot");
  clock.advance(1);
  auto const refused = authenticate(header);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().detail, "the service key has expired");
  ASSERT_TRUE(change(made.key.id, {.expires_at = clock.now() + 1000}));
  run(keys.refresh());
  EXPECT_EQ(who(header), "bot");
  ASSERT_TRUE(change(made.key.id, {.clears_expires_at = true}));
  run(keys.refresh());
  clock.advance(10'000);
  EXPECT_EQ(who(header), "bot");
}

TEST_P(KeyLimitsTest, a_change_keeps_what_it_does_not_name_and_is_refused_as_a_whole) {
  auto const made = create({.name = "bot", .scopes = {Scope::economy}, .realms = {"a"}}).value();
  auto const changed = change(made.key.id, {.name = "robot", .read_only = true}).value();
  EXPECT_EQ(changed.terms.name, "robot");
  EXPECT_EQ(changed.terms.realms, std::vector<std::string>{"a"});
  EXPECT_TRUE(changed.terms.read_only);
  EXPECT_EQ(change(made.key.id, {.name = "x", .scopes = ScopeSet{Scope::ledger}}).error().field, "realms");
  EXPECT_EQ(change(made.key.id, {.name = "x y"}).error().field, "name");
  EXPECT_EQ(list().at(0).terms.name, "robot");
  auto const wider =
      change(made.key.id, {.scopes = ScopeSet{Scope::ledger}, .realms = std::vector<std::string>()}).value();
  EXPECT_TRUE(wider.terms.realms.empty());
  EXPECT_EQ(change("nobody", {.name = "x"}).error().code, errors::service_key_not_found);
  ASSERT_TRUE(revoke(made.key.id));
  EXPECT_EQ(change(made.key.id, {.name = "x"}).error().code, errors::service_key_revoked);
  EXPECT_EQ(rotate(made.key.id, 1).error().code, errors::service_key_revoked);
}

TEST_P(KeyLimitsTest, after_a_rotation_both_tokens_open_the_key_for_a_while) {
  auto const made = create("bot", {Scope::ledger}).value();
  auto const rotated = rotate(made.key.id, 60).value();
  EXPECT_EQ(rotated.key.id, made.key.id);
  EXPECT_EQ(rotated.key.older_until(clock.now()), clock.now() + 60'000);
  auto const before = "Bearer " + made.token;
  auto const after = "Bearer " + rotated.token;
  EXPECT_EQ(who(before), "bot");
  EXPECT_EQ(who(after), "bot");
  clock.advance(59'999);
  EXPECT_EQ(who(before), "bot");
  clock.advance(1);
  EXPECT_EQ(who(before), "unauthorized");
  EXPECT_EQ(who(after), "bot");
  EXPECT_EQ(list().at(0).older_until(clock.now()), std::nullopt);
}

TEST_P(KeyLimitsTest, a_server_that_knows_the_key_learns_its_new_token_within_a_second) {
  auto const made = create("bot", {Scope::ledger}).value();
  EXPECT_EQ(who("Bearer " + made.token), "bot");
  auto const rotated = rotate(made.key.id, 60).value();
  clock.advance(1000);
  EXPECT_EQ(who("Bearer " + rotated.token), "bot");
}

TEST_P(KeyLimitsTest, whoever_rotates_again_because_the_answer_was_lost_cuts_nobody_off) {
  auto const made = create("bot", {Scope::ledger}).value();
  ASSERT_TRUE(rotate(made.key.id, 3600));  // the answer is lost
  clock.advance(10'000);
  auto const again = rotate(made.key.id, 3600).value();
  EXPECT_EQ(who("Bearer " + made.token), "bot");
  EXPECT_EQ(who("Bearer " + again.token), "bot");
  clock.advance(3'590'000);  // the first token keeps its end
  EXPECT_EQ(who("Bearer " + made.token), "unauthorized");
}

TEST_P(KeyLimitsTest, a_rotation_without_overlap_ends_all_older_tokens) {
  auto const made = create("bot", {Scope::ledger}).value();
  auto const second = rotate(made.key.id, 3600).value();
  auto const third = rotate(made.key.id, 0).value();
  EXPECT_EQ(who("Bearer " + made.token), "unauthorized");
  EXPECT_EQ(who("Bearer " + second.token), "unauthorized");
  EXPECT_EQ(who("Bearer " + third.token), "bot");
}

TEST_P(KeyLimitsTest, only_so_many_older_tokens_go_on_at_once) {
  auto const id = create("bot", {Scope::ledger})->key.id;
  for (std::size_t i = 0; i < limits::key_older_tokens_max; ++i) ASSERT_TRUE(rotate(id, 3600));
  EXPECT_EQ(rotate(id, 3600).error().code, errors::too_many_tokens);
  EXPECT_TRUE(rotate(id, 0));
  EXPECT_TRUE(rotate(id, 3600));
}

TEST_P(KeyLimitsTest, the_last_use_is_kept_in_memory_and_written_when_asked) {
  auto const made = create("bot", {Scope::ledger}).value();
  auto const unused = create("other", {Scope::ledger}).value();
  auto const header = "Bearer " + made.token;
  EXPECT_EQ(who(header), "bot");
  clock.advance(5000);
  EXPECT_EQ(who(header), "bot");
  EXPECT_EQ(last_use(made.key.id), std::nullopt);
  run(keys.write_uses());
  EXPECT_EQ(last_use(made.key.id), clock.now());
  EXPECT_EQ(last_use(unused.key.id), std::nullopt);

  // Another server has seen it later.
  auto const later = clock.now() + 60'000;
  sql.write_now([&](sql::Session& session) { note_uses(session, {{made.key.id, later}}); });
  clock.advance(1000);
  EXPECT_EQ(who(header), "bot");
  run(keys.write_uses());
  EXPECT_EQ(last_use(made.key.id), later);
}

TEST_P(KeyLimitsTest, the_last_use_is_written_once_in_a_while) {
  auto const made = create("bot", {Scope::ledger}).value();
  EXPECT_EQ(who("Bearer " + made.token), "bot");
  asio::io_context context;
  asio::cancellation_signal stop;
  asio::co_spawn(context.get_executor(), keys.keep_fresh(std::chrono::milliseconds(1)),
                 asio::bind_cancellation_slot(stop.slot(), [](std::exception_ptr) {}));
  EXPECT_TRUE(test::eventually(context, [&] { return last_use(made.key.id) == clock.now(); }));
  stop.emit(asio::cancellation_type::terminal);
  context.restart();
  context.run();
}

TEST_P(KeyLimitsTest, a_refused_token_is_no_use) {
  auto const made = create("bot", {Scope::ledger}).value();
  ASSERT_TRUE(revoke(made.key.id));
  EXPECT_EQ(who("Bearer " + made.token), "unauthorized");
  run(keys.write_uses());
  EXPECT_EQ(last_use(made.key.id), std::nullopt);
}

TEST_P(KeyLimitsTest, keys_of_the_previous_version_go_on_after_the_migration) {
  auto const made = create("bot", {Scope::ledger, Scope::economy}).value();
  auto const hash = made.key.hash;
  sql.write_now([&](sql::Session& session) {
    session.execute("DROP TABLE service_key");
    session.execute("DROP TABLE service_key_mark");
    session.execute("DELETE FROM schema_migration WHERE component = 'accounts' AND version >= 4");
    session.execute(
        "CREATE TABLE service_key (id VARCHAR(32) NOT NULL PRIMARY KEY, name VARCHAR(64) NOT NULL, scopes "
        "VARCHAR(200) NOT NULL, hash VARCHAR(64) NOT NULL, created_at BIGINT NOT NULL, revoked_at BIGINT)");
    session.execute("INSERT INTO service_key (id, name, scopes, hash, created_at) VALUES (?, ?, ?, ?, ?)",
                    {made.key.id, "bot", "ledger,economy", hash, clock.now().value});
    session.execute(
        "INSERT INTO service_key (id, name, scopes, hash, created_at, revoked_at) VALUES (?, ?, ?, ?, ?, ?)",
        {"admin1", "admin", "admin", std::string(64, '0'), clock.now().value, clock.now().value});
  });
  migrate_accounts(sql);
  auto const caller = authenticate("Bearer " + made.token);
  ASSERT_TRUE(caller);
  EXPECT_EQ(caller->scopes, (ScopeSet{Scope::ledger, Scope::economy}));
  EXPECT_FALSE(caller->read_only);
  EXPECT_TRUE(caller->realms.empty());
  EXPECT_FALSE(create_first_admin_key(sql, clock.now())) << "its admin key was revoked";
  EXPECT_EQ(rotate(made.key.id, 60)->key.terms.name, "bot");
}

}  // namespace
}  // namespace larder::accounts
