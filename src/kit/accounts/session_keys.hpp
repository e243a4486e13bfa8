// The keys that sign player tokens. They are in SQL, so all servers share them. The newest key signs. The key
// before it is still valid, so that `larder auth rotate` ends no session. Older keys do not exist any more.
#pragma once

#include "base/error.hpp"
#include "kit/accounts/session_tokens.hpp"
#include "kit/accounts/table_copy.hpp"

#include <vector>

namespace larder::accounts {

// Call these inside a write. If two callers make a key at the same moment, one of them gets a
// sql::ConstraintError.

// Makes a key if there is none. Its number is above `used`.
void make_first_session_key(sql::Session& session, std::int64_t used, TimeMs now);
// The moment from which on a rotation ends no session: the key that it drops signed sessions until the newest
// key was settled. Before the second rotation, any moment is fine.
TimeMs rotation_is_safe_at(sql::Session& session);
// Makes a new key, and drops all but the one before it. Returns the new key's number.
std::int64_t rotate_session_keys(sql::Session& session, TimeMs now);
// Makes a new key, and drops all others: every session ends when the servers learn of it.
std::int64_t replace_session_keys(sql::Session& session, TimeMs now);

// Newest first.
std::vector<SessionKey> list_session_keys(sql::Session& session);

// All keys in memory. Thread-safe, never blocks. Known keys work while SQL is unavailable.
//
// A token of an unknown key makes the server read the table again, at most once per second. A server signs
// with a new key only when the key is `settle_ms` old: by then every server has read the table anyway.
class SessionKeys {
 public:
  static constexpr std::int64_t settle_ms = 15'000;
  static constexpr std::chrono::seconds refresh_every{5};

  // Both must outlive the SessionKeys.
  SessionKeys(sql::Database& sql, Clock const& clock);

  // Makes the first key if there is none, and reads the table. Throws StoreError.
  Task<void> load();
  // Reads the table. If somebody has emptied it, makes a new key. Throws StoreError.
  Task<void> refresh();

  // Throws StoreError if there is no key.
  std::string sign(SessionClaims const& claims) const;
  // Refusal: unauthorized. Throws StoreError if the key is unknown and SQL is unavailable. Does not look at
  // the time.
  Task<Result<SessionClaims>> read(std::string token);

 private:
  struct Known {
    SessionKey key;
    std::string head;  // how a token begins that this server has signed with this key
  };
  using Keys = std::vector<Known>;  // newest first

  Task<void> make_first();
  static Known const* find(Keys const& keys, std::string_view token);

  sql::Database& sql_;
  Clock const& clock_;
  TableCopy<Keys> copy_;
};

}  // namespace larder::accounts
