#include "kit/accounts/session_tokens.hpp"

#include "base/limits.hpp"

#include <gtest/gtest.h>
#include <sodium.h>

#include <cstdlib>
#include <jwt.h>

namespace larder::accounts {
namespace {

TimeMs const now{1'767'225'600'000};
SessionKey const key{.number = 7, .secret = std::string(32, 'k'), .created_at = {}};
SessionClaims const claims{
    .player = UserId::from("c5oqgaq7kmk1ht7n10v0").value(),
    .session = {.id = "0123456789abcdef01234567", .generation = 3, .expires_at = now + limits::session_ms}};

std::string base64url(std::string_view text) {
  std::string out(sodium_base64_ENCODED_LEN(text.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING), '\0');
  sodium_bin2base64(out.data(), out.size(), reinterpret_cast<unsigned char const*>(text.data()), text.size(),
                    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  out.pop_back();
  return out;
}

// A token with any header and claims, signed as HS256 demands.
std::string signed_by(SessionKey const& by, std::string_view header, std::string_view body) {
  auto const text = base64url(header) + "." + base64url(body);
  std::string mac(crypto_auth_hmacsha256_BYTES, '\0');
  crypto_auth_hmacsha256_state state;
  crypto_auth_hmacsha256_init(&state, reinterpret_cast<unsigned char const*>(by.secret.data()),
                              by.secret.size());
  crypto_auth_hmacsha256_update(&state, reinterpret_cast<unsigned char const*>(text.data()), text.size());
  crypto_auth_hmacsha256_final(&state, reinterpret_cast<unsigned char*>(mac.data()));
  return text + "." + base64url(mac);
}

constexpr std::string_view good_header = R"({"alg":"HS256","kid":"7","typ":"JWT"})";
constexpr std::string_view good_body =
    R"({"sub":"c5oqgaq7kmk1ht7n10v0","gen":3,"jti":"0123456789abcdef01234567","iat":1767225600,"exp":1767398400})";

TEST(SessionToken, says_who_was_signed_in) {
  auto const token = sign_session(key, claims, now);
  EXPECT_TRUE(looks_like_session_token(token));
  EXPECT_EQ(key_number_of(token), 7);
  EXPECT_EQ(read_session(key, token), claims);
}

TEST(SessionToken, is_a_json_web_token_like_any_other) {
  EXPECT_EQ(read_session(key, signed_by(key, good_header, good_body)), claims);
  EXPECT_EQ(read_session(key, signed_by(key, R"({"typ":"JWT","kid":"7","alg":"HS256"})", good_body)), claims);
}

TEST(SessionToken, is_refused_if_anything_in_it_was_changed) {
  auto const token = sign_session(key, claims, now);
  // The last character also has bits that do not count.
  for (std::size_t i = 0; i + 1 < token.size(); ++i) {
    for (char const other : {'A', 'z', '_', '.'}) {
      if (token[i] == other) continue;
      auto changed = token;
      changed[i] = other;
      EXPECT_FALSE(read_session(key, changed)) << changed;
    }
  }
  EXPECT_FALSE(read_session(key, token + "A"));
  EXPECT_FALSE(read_session(key, token.substr(0, token.size() - 1)));
}

TEST(SessionToken, of_another_key_is_refused) {
  SessionKey const other{.number = 7, .secret = std::string(32, 'x'), .created_at = {}};
  EXPECT_FALSE(read_session(other, sign_session(key, claims, now)));
}

TEST(SessionToken, with_another_algorithm_is_refused) {
  for (std::string_view const header :
       {R"({"alg":"none","kid":"7"})", R"({"alg":"None","kid":"7"})", R"({"alg":"HS384","kid":"7"})",
        R"({"alg":"RS256","kid":"7"})", R"({"alg":"","kid":"7"})", R"({"alg":1,"kid":"7"})", R"({"kid":"7"})",
        R"([])", R"(x)"}) {
    auto const token = signed_by(key, header, good_body);
    EXPECT_FALSE(key_number_of(token)) << header;
    EXPECT_FALSE(read_session(key, token)) << header;
  }
  auto const unsigned_token = base64url(R"({"alg":"none"})") + "." + base64url(good_body) + ".";
  EXPECT_FALSE(looks_like_session_token(unsigned_token));
  EXPECT_FALSE(read_session(key, unsigned_token));

  jwt_t* made = nullptr;
  ASSERT_EQ(jwt_new(&made), 0);
  jwt_set_alg(made, JWT_ALG_HS512, reinterpret_cast<unsigned char const*>(key.secret.data()), 32);
  jwt_add_header(made, "kid", "7");
  jwt_add_grants_json(made, std::string(good_body).c_str());
  auto* const text = jwt_encode_str(made);
  EXPECT_FALSE(read_session(key, text));
  std::free(text);
  jwt_free(made);
}

TEST(SessionToken, without_a_key_number_names_no_key) {
  for (std::string_view const header :
       {R"({"alg":"HS256"})", R"({"alg":"HS256","kid":7})", R"({"alg":"HS256","kid":""})",
        R"({"alg":"HS256","kid":"x"})", R"({"alg":"HS256","kid":"99999999999999999999"})"}) {
    EXPECT_FALSE(key_number_of(signed_by(key, header, good_body))) << header;
  }
}

TEST(SessionToken, needs_every_claim) {
  for (std::string_view const body :
       {R"({})", R"([])", R"(x)", R"({"gen":3,"jti":"a","exp":1767398400})",
        R"({"sub":"a","jti":"a","exp":1})", R"({"sub":"a","gen":3,"exp":1767398400})",
        R"({"sub":"a","gen":3,"jti":"a"})", R"({"sub":"a b","gen":3,"jti":"a","exp":1})",
        R"({"sub":1,"gen":3,"jti":"a","exp":1})", R"({"sub":"a","gen":"3","jti":"a","exp":1})",
        R"({"sub":"a","gen":3,"jti":"","exp":1})", R"({"sub":"a","gen":3,"jti":"a","exp":"1"})",
        R"({"sub":"a","gen":3,"jti":"a","exp":1e99})", R"({"sub":"a","gen":3,"jti":"a","exp":-1})",
        R"({"sub":"a","gen":3,"jti":"a","exp":9223372036854775807})"}) {
    EXPECT_FALSE(read_session(key, signed_by(key, good_header, body))) << body;
  }
}

TEST(SessionToken, that_is_huge_or_malformed_is_not_even_parsed) {
  std::string const huge = signed_by(key, good_header, std::string(limits::session_token_chars_max, ' '));
  std::string const mac(43, 'A');
  for (std::string const& text :
       {huge, std::string(), std::string("."), std::string(".."), "a.b." + mac + "A", "a.b." + mac.substr(1),
        "." + mac, ".b." + mac, "a.." + mac, "a.b.c." + mac, "a b.c." + mac, "a=.b." + mac, "lk_1_" + mac}) {
    EXPECT_FALSE(looks_like_session_token(text)) << text;
    EXPECT_FALSE(key_number_of(text));
    EXPECT_FALSE(read_session(key, text));
  }
  EXPECT_FALSE(key_number_of("a.b." + mac));
}

}  // namespace
}  // namespace larder::accounts
