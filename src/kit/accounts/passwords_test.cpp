#include "kit/accounts/passwords.hpp"

#include "support/run.hpp"

#include <gtest/gtest.h>

#include <latch>

namespace larder::accounts {
namespace {

TEST(Password, must_be_long_enough_and_must_not_contain_the_name) {
  struct Case {
    std::string password;
    std::string refusal;  // a part of the detail; empty: allowed
  };
  auto const name = PlayerName::parse("Straße_7").value();
  Case const cases[] = {
      {"12345678", ""},
      {std::string(256, 'x'), ""},
      {"🍕🍕🍕🍕🍕🍕🍕🍕", ""},
      {"1234567", "8 to 256"},
      {"🍕🍕", "8 to 256"},
      {std::string(257, 'x'), "8 to 256"},
      {"my straße_7!", "contain"},
      {"MY STRASSE_7!", "contain"},
      {"ｓｔｒａｓｓｅ＿７", "contain"},
      {"strasse-7-strasse", ""},
  };
  for (auto const& [password, refusal] : cases) {
    auto const checked = check_password(password, name, "new_password");
    ASSERT_EQ(checked.has_value(), refusal.empty()) << password;
    if (checked) continue;
    EXPECT_EQ(checked.error().field, "new_password");
    EXPECT_NE(checked.error().detail.find(refusal), std::string::npos) << checked.error().detail;
  }
}

class PasswordsTest : public testing::Test {
 protected:
  std::string hash(std::string password) {
    return test::run(io, passwords.hash(std::move(password))).value();
  }
  bool matches(std::string hash, std::string password) {
    return test::run(io, passwords.matches(std::move(hash), std::move(password))).value();
  }

  asio::io_context io;
  CpuPool pool{1, 0};
  Passwords passwords{pool};
};

TEST_F(PasswordsTest, a_hash_is_argon2id_and_says_its_costs) {
  auto const made = hash("correct horse");
  EXPECT_TRUE(made.starts_with("$argon2id$v=19$m=19456,t=2,p=1$")) << made;
  EXPECT_NE(hash("correct horse"), made);
  EXPECT_TRUE(matches(made, "correct horse"));
  EXPECT_FALSE(matches(made, "correct horsf"));
  EXPECT_FALSE(matches(made, ""));
}

TEST_F(PasswordsTest, the_same_characters_match_in_every_form_of_unicode) {
  EXPECT_TRUE(matches(hash("caf\xC3\xA9 123"), "cafe\xCC\x81 123"));
}

TEST_F(PasswordsTest, without_a_hash_the_same_work_is_done_for_nothing) {
  EXPECT_FALSE(matches("", "correct horse"));
  EXPECT_EQ(passwords.compared(), 1);
}

TEST_F(PasswordsTest, a_full_pool_refuses) {
  std::latch begun(1);
  std::latch go_on(1);
  asio::io_context other;
  std::thread blocker([&] {
    test::run(other, pool.run([&] {
      begun.count_down();
      go_on.wait();
    }));
  });
  begun.wait();
  EXPECT_EQ(test::run(io, passwords.hash("correct horse")).error().code, errors::server_busy);
  EXPECT_EQ(test::run(io, passwords.matches("", "x")).error().code, errors::server_busy);
  go_on.count_down();
  blocker.join();
  EXPECT_EQ(passwords.compared(), 0);
}

}  // namespace
}  // namespace larder::accounts
