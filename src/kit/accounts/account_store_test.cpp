#include "kit/accounts/account_store.hpp"

#include "base/when_all.hpp"
#include "kit/accounts/accounts_test.hpp"
#include "kit/accounts/player_ids.hpp"

namespace larder::accounts {
namespace {

class AccountStoreTest : public AccountsTest {
 protected:
  AccountStore& store = server.store;

  Account account(std::string_view as, std::string hash = "a hash") const {
    return {.id = new_player_id(clock.now()),
            .username = std::string(as),
            .hashed_password = std::move(hash),
            .created_at = clock.now()};
  }
  Account add(std::string_view as) {
    auto const made = account(as);
    EXPECT_TRUE(server.run(store.add(made, name(as).key())));
    return made;
  }
  template <class T>
  std::string outcome(Task<Result<T>> task) {
    auto const result = server.run(std::move(task));
    return result ? "ok" : std::string(result.error().code.name);
  }
};

TEST_F(AccountStoreTest, an_account_is_on_the_keys_of_the_original_game) {
  auto const made = add("Ada");
  EXPECT_EQ(cli({"GET", "username:ada"}), made.id.str());
  EXPECT_EQ(cli({"HMGET", "user:" + made.id.str(), "id", "username", "hashed_password"}),
            made.id.str() + "\nAda\na hash");
  EXPECT_EQ(server.run(store.find(made.id)), made);
  EXPECT_EQ(server.run(store.find_by_name("ada")), made);
  EXPECT_EQ(server.run(store.find_by_name("bea")), std::nullopt);
  EXPECT_TRUE(server.run(store.is_taken("ada")));
  EXPECT_FALSE(server.run(store.is_taken("bea")));
  EXPECT_EQ(events(), "registered");
}

// Such an account has no generation, no state and no time of creation.
TEST_F(AccountStoreTest, an_account_of_the_original_game_can_be_changed_and_deleted) {
  auto const id = new_player_id(clock.now());
  cli({"HSET", "user:" + id.str(), "id", id.str(), "username", "Ada", "hashed_password", "old"});
  cli({"SET", "username:ada", id.str()});
  EXPECT_EQ(outcome(store.set_disabled(id, false, clock.now())), "ok");
  EXPECT_EQ(outcome(store.set_disabled(id, true, clock.now())), "ok");
  EXPECT_EQ(outcome(store.set_password(id, "new", "old", clock.now())), "ok");
  EXPECT_EQ(server.run(store.find(id))->hashed_password, "new");
  EXPECT_EQ(outcome(store.remove(*server.run(store.find(id)), "", clock.now())), "ok");
  EXPECT_EQ(server.run(store.find(id)), std::nullopt);
  EXPECT_FALSE(server.run(store.is_taken("ada")));
  EXPECT_EQ(events(), "disabled password_changed deleted");
}

TEST_F(AccountStoreTest, of_many_who_want_a_name_at_once_one_gets_it) {
  TestServer other(redis.url(), "sqlite:" + dir.file("other.db"), clock);
  std::vector<std::string> const variants{"Strasse", "STRASSE", "Straße", "ｓｔｒａｓｓｅ", "strasse"};
  for (int round = 0; round < 20; ++round) {
    cli({"FLUSHALL"});
    server.open();
    auto const race = [&](TestServer& at) {
      std::vector<Task<Result<void>>> adding;
      for (auto const& variant : variants)
        adding.push_back(at.store.add(account(variant), name(variant).key()));
      std::int64_t added = 0;
      for (auto const& result : at.run(when_all(std::move(adding)))) added += result ? 1 : 0;
      return added;
    };
    std::int64_t there = 0;
    std::thread beside([&] { there = race(other); });
    auto const here = race(server);
    beside.join();
    EXPECT_EQ(here + there, 1);
    EXPECT_EQ(cli({"KEYS", "user:*"}), "user:" + cli({"GET", "username:strasse"}));
    EXPECT_EQ(events(), "registered");
  }
}

TEST_F(AccountStoreTest, a_repeated_registration_is_answered_again_and_told_once) {
  auto const made = account("Ada");
  EXPECT_EQ(outcome(store.add(made, "ada")), "ok");
  EXPECT_EQ(outcome(store.add(made, "ada")), "ok");
  EXPECT_EQ(outcome(store.add(account("ADA"), "ada")), "username_taken");
  EXPECT_EQ(events(), "registered");
}

TEST_F(AccountStoreTest, a_new_password_ends_the_sessions) {
  auto const made = add("Ada");
  EXPECT_EQ(server.run(store.set_password(made.id, "new", "a hash", clock.now())), 2);
  EXPECT_EQ(server.run(store.set_password(made.id, "new", "a hash", clock.now())), 2) << "repeated";
  EXPECT_EQ(server.run(store.set_password(made.id, "newer", "", clock.now())), 3) << "a reset";
  EXPECT_EQ(server.run(store.find(made.id))->hashed_password, "newer");
  EXPECT_EQ(events(), "registered password_changed password_changed");
  EXPECT_EQ(cli({"XLEN", AccountKeys::revoked()}), "2");
}

TEST_F(AccountStoreTest, disabling_and_enabling_count_once) {
  auto const made = add("Ada");
  EXPECT_EQ(server.run(store.set_disabled(made.id, false, clock.now())), 1);
  EXPECT_EQ(server.run(store.set_disabled(made.id, true, clock.now())), 2);
  EXPECT_EQ(server.run(store.set_disabled(made.id, true, clock.now())), 2);
  EXPECT_TRUE(server.run(store.find(made.id))->disabled);
  EXPECT_EQ(server.run(store.set_disabled(made.id, false, clock.now())), 3);
  EXPECT_FALSE(server.run(store.find(made.id))->disabled);
  EXPECT_EQ(events(), "registered disabled enabled");
}

TEST_F(AccountStoreTest, a_deleted_account_leaves_only_its_id) {
  auto const made = add("Ada");
  cli({"XTRIM", AccountKeys::outbox(), "MAXLEN", "0"});
  EXPECT_EQ(server.run(store.remove(made, "a hash", clock.now())), 2);
  EXPECT_EQ(server.run(store.find(made.id)), std::nullopt);
  EXPECT_EQ(cli({"ZRANGE", AccountKeys::deletions(), "0", "-1", "WITHSCORES"}),
            fmt::format("{}\n{}", made.id.str(), clock.now().value));
  auto const told = cli({"XRANGE", AccountKeys::outbox(), "-", "+"});
  EXPECT_NE(told.find("deleted"), std::string::npos);
  EXPECT_EQ(told.find("Ada"), std::string::npos);
  EXPECT_EQ(told.find("a hash"), std::string::npos);
  auto const again = add("ADA");
  EXPECT_NE(again.id, made.id);
  EXPECT_EQ(outcome(store.remove(made, "", clock.now())), "account_not_found");
  EXPECT_EQ(server.run(store.find_by_name("ada")), again) << "the name belongs to another account now";
}

TEST_F(AccountStoreTest, what_is_refused_leaves_no_trace) {
  auto const made = add("Ada");
  auto const nobody = account("Bea");
  auto const before = digest();
  auto const now = clock.now();
  EXPECT_EQ(outcome(store.add(account("ada"), "ada")), "username_taken");
  EXPECT_EQ(outcome(store.set_password(made.id, "new", "other hash", now)), "wrong_credentials");
  EXPECT_EQ(outcome(store.remove(made, "other hash", now)), "wrong_credentials");
  EXPECT_EQ(outcome(store.set_password(nobody.id, "new", "", now)), "account_not_found");
  EXPECT_EQ(outcome(store.set_disabled(nobody.id, true, now)), "account_not_found");
  EXPECT_EQ(outcome(store.end_sessions(nobody.id)), "account_not_found");
  EXPECT_EQ(outcome(store.remove(nobody, "", now)), "account_not_found");
  EXPECT_EQ(digest(), before);
}

// A Redis that has lost something has no outbox. Nobody but the start of a server may make it again.
TEST_F(AccountStoreTest, without_an_outbox_nothing_changes) {
  auto const made = add("Ada");
  cli({"DEL", AccountKeys::outbox()});
  auto const before = digest();
  auto const now = clock.now();
  EXPECT_THROW(server.run(store.add(account("Bea"), "bea")), LostError);
  EXPECT_THROW(server.run(store.set_password(made.id, "new", "", now)), LostError);
  EXPECT_THROW(server.run(store.set_disabled(made.id, true, now)), LostError);
  EXPECT_THROW(server.run(store.remove(made, "", now)), LostError);
  EXPECT_EQ(digest(), before);
}

TEST(AccountStoreOnCluster, keeps_everything_in_one_slot) {
  test::RedisCluster cluster;
  test::TempDir dir;
  TestClock const clock{SystemClock{}.now()};
  TestServer server(cluster.url(), "sqlite:" + dir.file("test.db"), clock);
  server.poll();
  auto const ada = server.sign_up("Ada");
  EXPECT_EQ(server.store.keys().user(ada.id), "{accounts}:user:" + ada.id.str());
  EXPECT_EQ(server.run(server.accounts.sign_up(name("ADA"), password)).error().code, errors::username_taken);
  EXPECT_EQ(server.run(server.accounts.log_in("ada", password))->id, ada.id);
  EXPECT_EQ(server.who(ada.token), ada.id.str());
  auto const account = server.run(server.store.find(ada.id)).value();
  auto const changed = server.run(server.accounts.change_password(account, password, "another one"));
  ASSERT_TRUE(changed);
  EXPECT_EQ(server.who(ada.token), "unauthorized");
  EXPECT_EQ(server.who(changed->token), ada.id.str());
  server.run(server.accounts.log_out(*server.caller(changed->token).session));
  server.poll();
  EXPECT_EQ(server.who(changed->token), "unauthorized");
  EXPECT_EQ(server.run(server.store.set_disabled(ada.id, true, clock.now())), 3);
  EXPECT_TRUE(server.run(server.accounts.log_out_everywhere(ada.id)));
  EXPECT_TRUE(
      server.run(server.accounts.remove(server.run(server.store.find(ada.id)).value(), "another one")));
  EXPECT_FALSE(server.run(server.store.is_taken("ada")));
}

}  // namespace
}  // namespace larder::accounts
