#include "kit/accounts/session_keys.hpp"

#include "base/limits.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>

namespace larder::accounts {

namespace {

constexpr std::size_t session_secret_bytes = 32;

std::string to_hex(std::string_view bytes) {
  std::string hex(2 * bytes.size() + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), reinterpret_cast<unsigned char const*>(bytes.data()), bytes.size());
  hex.pop_back();
  return hex;
}

std::string from_hex(std::string const& hex) {
  std::string bytes(hex.size() / 2, '\0');
  std::size_t size = 0;
  auto const failed = sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), hex.data(),
                                     hex.size(), nullptr, &size, nullptr);
  if (failed != 0 || size != session_secret_bytes)
    throw std::runtime_error("a session key in SQL is damaged");
  return bytes;
}

// Numbers are never reused: a token that an old key has signed must not name a new key.
std::int64_t add_key(sql::Session& session, std::int64_t number, TimeMs now) {
  std::string secret(session_secret_bytes, '\0');
  randombytes_buf(secret.data(), secret.size());
  session.execute("INSERT INTO session_key (id, secret, created_at) VALUES (?, ?, ?)",
                  {number, to_hex(secret), now.value});
  return number;
}

std::int64_t newest_number(sql::Session& session) {
  auto const keys = list_session_keys(session);
  return keys.empty() ? 0 : keys.front().number;
}

bool has_session_keys(sql::Session& session) {
  return !session.query("SELECT 1 FROM session_key LIMIT 1").empty();
}

}  // namespace

std::vector<SessionKey> list_session_keys(sql::Session& session) {
  std::vector<SessionKey> keys;
  for (auto const& row : session.query("SELECT id, secret, created_at FROM session_key ORDER BY id DESC")) {
    keys.push_back({.number = row.int64(0), .secret = from_hex(row.text(1)), .created_at = {row.int64(2)}});
  }
  return keys;
}

void make_first_session_key(sql::Session& session, std::int64_t used, TimeMs now) {
  if (newest_number(session) == 0) add_key(session, used + 1, now);
}

TimeMs rotation_is_safe_at(sql::Session& session) {
  auto const keys = list_session_keys(session);
  if (keys.size() < 2) return {};
  return keys.front().created_at + SessionKeys::settle_ms + limits::session_ms;
}

std::int64_t rotate_session_keys(sql::Session& session, TimeMs now) {
  auto const before = newest_number(session);
  session.execute("DELETE FROM session_key WHERE id < ?", {before});
  return add_key(session, before + 1, now);
}

std::int64_t replace_session_keys(sql::Session& session, TimeMs now) {
  auto const before = newest_number(session);
  session.execute("DELETE FROM session_key WHERE id <= ?", {before});
  return add_key(session, before + 1, now);
}

SessionKeys::SessionKeys(sql::Database& sql, Clock const& clock)
    : sql_(sql), clock_(clock), copy_(sql, clock, [](sql::Session& session) {
        Keys keys;
        for (auto& key : list_session_keys(session)) {
          auto token = sign_session(key, {}, {});
          token.resize(token.find('.') + 1);
          keys.push_back({.key = std::move(key), .head = std::move(token)});
        }
        return keys;
      }) {
  LARDER_ASSERT(sodium_init() >= 0);
}

Task<void> SessionKeys::make_first() {
  auto const known = copy_.get();
  auto const used = known->empty() ? 0 : known->front().key.number;
  try {
    co_await sql_.write([used, now = clock_.unchecked()](sql::Session& session) {
      make_first_session_key(session, used, now);
    });
  } catch (sql::ConstraintError const&) {
    // Another server has just made the key.
  }
}

Task<void> SessionKeys::load() {
  co_await make_first();
  co_await copy_.refresh();
}

Task<void> SessionKeys::refresh() {
  if (!co_await sql_.read(has_session_keys)) co_await make_first();
  co_await copy_.refresh();
}

std::string SessionKeys::sign(SessionClaims const& claims) const {
  auto const keys = copy_.get();
  auto const now = clock_.now();
  if (keys->empty()) throw StoreError("there is no key to sign a session with", false);
  auto const settled = std::ranges::find_if(
      *keys, [&](Known const& known) { return now - known.key.created_at >= settle_ms; });
  return sign_session(settled == keys->end() ? keys->back().key : settled->key, claims, now);
}

// Most tokens were signed by a server of the same build, and begin like this server's own tokens.
SessionKeys::Known const* SessionKeys::find(Keys const& keys, std::string_view token) {
  auto found = std::ranges::find_if(keys, [&](Known const& known) { return token.starts_with(known.head); });
  if (found == keys.end()) {
    auto const number = key_number_of(token);
    found = std::ranges::find_if(keys, [&](Known const& known) { return known.key.number == number; });
  }
  return found == keys.end() ? nullptr : &*found;
}

Task<Result<SessionClaims>> SessionKeys::read(std::string token) {
  auto keys = copy_.get();
  auto const* found = find(*keys, token);
  if (!found && key_number_of(token)) {
    co_await copy_.look_again();
    keys = copy_.get();
    found = find(*keys, token);
    if (!found && copy_.is_doubtful()) {
      throw StoreError("the key of the session is not known yet, and SQL is unavailable", false);
    }
  }
  auto claims = found ? read_session(found->key, token) : std::nullopt;
  if (!claims) co_return refuse(errors::unauthorized, "the player token is not valid; log in again");
  co_return std::move(*claims);
}

}  // namespace larder::accounts
