// Service keys in SQL. Call these functions inside a job of the Database; all but the list need a write.
#pragma once

#include "base/error.hpp"
#include "base/scope.hpp"
#include "base/time.hpp"
#include "stores/sql/database.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace larder::errors {
inline constexpr ErrorCode service_key_not_found{ErrorKind::not_found, "service_key_not_found"};
inline constexpr ErrorCode service_key_revoked{ErrorKind::conflict, "service_key_revoked"};
inline constexpr ErrorCode too_many_tokens{ErrorKind::conflict, "too_many_tokens"};
}  // namespace larder::errors

namespace larder::accounts {

// What a person decides about a key.
struct KeyTerms {
  std::string name;
  ScopeSet scopes;
  // The only realms of the economy that the key may touch; empty: all. Such a key can have no other scope,
  // because the other systems have no realms.
  std::vector<std::string> realms = {};
  bool read_only = false;
  std::optional<TimeMs> expires_at = {};

  // Whether the key may do less than its scopes say.
  bool is_limited() const { return !realms.empty() || read_only || expires_at.has_value(); }
};

// A token that stays valid for a while after a rotation.
struct OlderToken {
  std::string hash;
  TimeMs until;
};

struct ServiceKey {
  std::string id;
  KeyTerms terms;
  std::string hash;  // SHA-256 of the newest token, in hex
  std::vector<OlderToken> older_tokens;
  TimeMs created_at;
  std::optional<TimeMs> revoked_at;
  std::optional<TimeMs> last_used_at;  // up to a minute old

  bool is_valid(TimeMs now) const { return !revoked_at && (!terms.expires_at || now < *terms.expires_at); }
  // Until when an older token opens the key; nothing if none does.
  std::optional<TimeMs> older_until(TimeMs now) const;
};

// A token is shown only once, when it is made.
struct NewServiceKey {
  ServiceKey key;
  std::string token;
};

struct KeyChange {
  std::optional<std::string> name = {};
  std::optional<ScopeSet> scopes = {};
  std::optional<std::vector<std::string>> realms = {};  // empty: all
  std::optional<bool> read_only = {};
  std::optional<TimeMs> expires_at = {};
  bool clears_expires_at = false;
};

// Splits "main,season-2". Does not check the names.
std::vector<std::string> parse_realms(std::string_view list);

// Refusals: invalid_request, which names the field.
Result<NewServiceKey> create_service_key(sql::Session& session, KeyTerms terms, TimeMs now);
// By the time of their creation, then by id.
std::vector<ServiceKey> list_service_keys(sql::Session& session);
// Refusals: invalid_request, service_key_not_found, service_key_revoked.
Result<ServiceKey> change_service_key(sql::Session& session, std::string_view id, KeyChange const& change,
                                      TimeMs now);
// Refusal: service_key_not_found. Revoking a key again changes nothing.
Result<ServiceKey> revoke_service_key(sql::Session& session, std::string_view id, TimeMs now);
// Makes a new token. Every older token of the key stays valid for `overlap_s` at most. So if the answer is
// lost, the key can be rotated again, and older tokens work in the meantime. Refusals: service_key_not_found,
// service_key_revoked, too_many_tokens.
Result<NewServiceKey> rotate_service_key(sql::Session& session, std::string_view id, std::int64_t overlap_s,
                                         TimeMs now);

// A time is never set back.
void note_uses(sql::Session& session, std::vector<std::pair<std::string, TimeMs>> const& uses);

// For the start of a server. Makes an admin key at the first start of a database that has none, and never
// again: an operator who has revoked the admin keys does not want another. If two servers start at once on
// one database, only one of them makes the key. `keep` is called before the key is valid, so that a crash in
// between does not lose its token. Blocks.
std::optional<NewServiceKey> create_first_admin_key(
    sql::Database& sql, TimeMs now, std::function<void(NewServiceKey const&)> const& keep = {});

// The key id inside a token. Nothing if the text does not look like a service key.
std::optional<std::string> key_id_of(std::string_view token);
// Whether the token is one of the key's. Says nothing about the key itself.
bool opens(std::string_view token, ServiceKey const& key, TimeMs now);

}  // namespace larder::accounts
