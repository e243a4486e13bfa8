#include "kit/accounts/accounts_test.hpp"

namespace larder::accounts {
namespace {

// Sessions and passwords.

TEST_F(AccountsTest, whoever_registers_or_logs_in_has_a_session_for_48_hours) {
  auto const ada = server.sign_up("Ada");
  EXPECT_EQ(ada.username, "Ada");
  EXPECT_EQ(server.who(ada.token), ada.id.str());
  clock.advance(3'600'000);
  server.poll();
  auto const again = server.run(server.accounts.log_in("ADA", password)).value();
  EXPECT_EQ(again.id, ada.id);
  EXPECT_NE(again.token, ada.token);
  EXPECT_EQ(server.who(again.token), ada.id.str());

  clock.advance(ada.expires_at - clock.now() - 1);
  server.poll();
  EXPECT_EQ(server.who(ada.token), ada.id.str());
  clock.advance(1);
  EXPECT_EQ(server.who(ada.token), "unauthorized");
  EXPECT_EQ(server.who(again.token), ada.id.str());
}

TEST_F(AccountsTest, an_unknown_name_and_a_wrong_password_are_refused_alike_after_the_same_work) {
  server.sign_up("Ada");
  auto const commands = [this] { return redis.stat("total_commands_processed"); };
  struct Seen {
    std::string refusal;
    std::int64_t hashes;
    std::int64_t questions;
    bool operator==(Seen const&) const = default;
  };
  auto const attempt = [&](std::string who) {
    auto const hashes = server.passwords.compared();
    auto const questions = commands();
    auto const outcome = server.run(server.accounts.log_in(std::move(who), "wrong password"));
    return Seen{.refusal = fmt::format("{} {}", outcome.error().code.name, outcome.error().detail),
                .hashes = server.passwords.compared() - hashes,
                .questions = commands() - questions};
  };
  auto const wrong = attempt("ada");
  EXPECT_EQ(wrong.hashes, 1);
  EXPECT_TRUE(wrong.refusal.starts_with("wrong_credentials ")) << wrong.refusal;
  EXPECT_EQ(attempt("nobody"), wrong);
  EXPECT_EQ(attempt("not a name"), wrong);
}

TEST_F(AccountsTest, only_who_knows_the_password_learns_that_an_account_is_disabled) {
  auto const ada = server.sign_up("Ada");
  EXPECT_TRUE(server.run(server.store.set_disabled(ada.id, true, clock.now())));
  EXPECT_EQ(server.run(server.accounts.log_in("ada", "wrong password")).error().code,
            errors::wrong_credentials);
  EXPECT_EQ(server.run(server.accounts.log_in("ada", password)).error().code, errors::account_disabled);
  server.poll();
  EXPECT_EQ(server.who(ada.token), "unauthorized");
  EXPECT_TRUE(server.run(server.store.set_disabled(ada.id, false, clock.now())));
  EXPECT_TRUE(server.run(server.accounts.log_in("ada", password)));
}

TEST_F(AccountsTest, a_logout_ends_one_session_and_logout_everywhere_ends_all_before_it) {
  auto const first = server.sign_up("Ada");
  auto const log_in = [&] { return server.run(server.accounts.log_in("ada", password)).value().token; };
  auto const second = log_in();
  auto const bea = server.sign_up("Bea");
  auto const caller = server.caller(first.token);
  EXPECT_FALSE(server.tokens.is_over(caller));
  server.run(server.accounts.log_out(*caller.session));
  EXPECT_TRUE(server.tokens.is_over(caller));
  EXPECT_EQ(server.who(first.token), "unauthorized");
  EXPECT_EQ(server.who(second), first.id.str());
  EXPECT_TRUE(server.run(server.accounts.log_out_everywhere(first.id)));
  EXPECT_EQ(server.who(second), "unauthorized");
  EXPECT_EQ(server.who(log_in()), first.id.str());
  EXPECT_EQ(server.who(bea.token), bea.id.str());
}

TEST_F(AccountsTest, a_login_on_an_older_redis_begins_a_session_that_is_valid_and_can_be_ended) {
  auto const ada = server.sign_up("Ada");
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(server.run(server.accounts.log_out_everywhere(ada.id)));
  cli({"HSET", "user:" + ada.id.str(), "generation", "1"});
  auto const token = server.run(server.accounts.log_in("ada", password)).value().token;
  EXPECT_EQ(server.who(token), ada.id.str());
  EXPECT_TRUE(server.run(server.accounts.log_out_everywhere(ada.id)));
  EXPECT_EQ(server.who(token), "unauthorized");
  EXPECT_EQ(server.run(server.store.raise_generation(UserId::from("nobody").value(), 7)), 0);
}

TEST_F(AccountsTest, a_new_password_ends_the_sessions_but_for_a_new_one) {
  auto const ada = server.sign_up("Ada");
  auto const account = server.run(server.accounts.find(ada.id)).value();
  EXPECT_EQ(
      server.run(server.accounts.change_password(account, "wrong password", "another one")).error().code,
      errors::wrong_credentials);
  EXPECT_EQ(server.who(ada.token), ada.id.str());
  auto const changed = server.run(server.accounts.change_password(account, password, "another one")).value();
  EXPECT_EQ(server.who(ada.token), "unauthorized");
  EXPECT_EQ(server.who(changed.token), ada.id.str());
  EXPECT_EQ(server.run(server.accounts.log_in("ada", password)).error().code, errors::wrong_credentials);
  EXPECT_TRUE(server.run(server.accounts.log_in("ada", "another one")));
  EXPECT_EQ(server.run(server.accounts.change_password(account, password, "a third one")).error().code,
            errors::wrong_credentials)
      << "somebody else has changed it since it was read";
}

TEST_F(AccountsTest, a_deleted_account_cannot_be_used_and_its_name_is_free) {
  auto const ada = server.sign_up("Ada");
  auto const account = server.run(server.accounts.find(ada.id)).value();
  EXPECT_EQ(server.run(server.accounts.remove(account, "wrong password")).error().code,
            errors::wrong_credentials);
  EXPECT_TRUE(server.run(server.accounts.remove(account, password)));
  EXPECT_TRUE(server.run(server.accounts.remove(account, password))) << "once more";
  EXPECT_EQ(server.who(ada.token), "unauthorized");
  EXPECT_EQ(server.run(server.accounts.find(ada.id)).error().code, errors::account_not_found);
  EXPECT_EQ(server.run(server.accounts.log_in("ada", password)).error().code, errors::wrong_credentials);
  auto const again = server.sign_up("ADA");
  EXPECT_NE(again.id, ada.id);
  EXPECT_EQ(server.who(again.token), again.id.str());
}

TEST_F(AccountsTest, every_change_wakes_the_projector) {
  server.sign_up("Ada");
  EXPECT_EQ(server.woken, 1);
}

// Credentials.

TEST_F(AccountsTest, a_token_comes_by_header_by_subprotocol_or_by_cookie) {
  auto const ada = server.sign_up("Ada");
  auto const bea = server.sign_up("Bea");
  auto const bearer = "bEaReR " + ada.token;
  auto const offers = "larder, " + ada.token;
  auto const others = "chat,larder ,\t" + ada.token + " , x";
  auto const cookie = "theme=dark; larder_session=" + ada.token + "; larder_session=x";
  auto const of_bea = "larder_session=" + bea.token;
  EXPECT_EQ(server.who({.authorization = bearer}), ada.id.str());
  EXPECT_EQ(server.who({.authorization = bearer, .cookie = of_bea}), ada.id.str());
  EXPECT_EQ(server.who({.subprotocol = offers}), ada.id.str());
  EXPECT_EQ(server.who({.cookie = of_bea, .subprotocol = others}), ada.id.str());
  EXPECT_EQ(server.who({.cookie = cookie}), ada.id.str());

  auto const service_key = "Bearer lk_1_" + std::string(64, '0');
  for (Credentials const& others_business :
       {Credentials{}, Credentials{.authorization = service_key, .cookie = cookie},
        Credentials{.authorization = "Bearer a.b.c"}, Credentials{.cookie = "other=1"},
        Credentials{.cookie = "larder_session="}, Credentials{.subprotocol = "larder"}}) {
    EXPECT_FALSE(server.tokens.recognises(others_business));
  }
}

TEST_F(AccountsTest, a_cookie_acts_only_for_pages_of_this_server) {
  auto const ada = server.sign_up("Ada");
  auto const cookie = "larder_session=" + ada.token;
  auto const bearer = "Bearer " + ada.token;
  auto const ended = "larder_session=" + server.sign_up("Bea").token;
  server.run(server.accounts.log_out(*server.caller(ended.substr(ended.find('=') + 1)).session));
  struct Case {
    std::string_view cookie;
    std::string_view origin;
    bool acts;
    std::string expected;
  };
  std::string_view const own = "https://game.example";
  std::string_view const foreign = "https://evil.example";
  Case const cases[] = {
      {cookie, "", false, ada.id.str()},
      {cookie, own, false, ada.id.str()},
      {cookie, own, true, ada.id.str()},
      {cookie, "", true, "forbidden"},
      {cookie, foreign, true, "forbidden"},
      {cookie, foreign, false, "forbidden"},
      {cookie, "null", true, "forbidden"},
      {ended, foreign, true, "unauthorized"},
      {"larder_session=x", foreign, true, "unauthorized"},
  };
  for (auto const& [by_cookie, origin, acts, expected] : cases) {
    EXPECT_EQ(server.who({.cookie = by_cookie, .origin = origin, .host = "game.example", .acts = acts}),
              expected)
        << origin << acts;
  }
  EXPECT_EQ(server.who({.authorization = bearer, .origin = foreign, .host = "game.example", .acts = true}),
            ada.id.str())
      << "a page of another site does not know the token";
}

}  // namespace
}  // namespace larder::accounts
