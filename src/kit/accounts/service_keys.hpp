// Service keys: the tokens `lk_<key id>_<64 hex digits>` of bots and back ends. A token is shown only once,
// when it is made. SQL has only its SHA-256, which is safe enough for a secret of 256 random bits.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "kit/accounts/authenticator.hpp"
#include "kit/accounts/table_copy.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace larder::errors {
inline constexpr ErrorCode service_key_not_found{ErrorKind::not_found, "service_key_not_found"};
}  // namespace larder::errors

namespace larder::accounts {

struct ServiceKey {
  std::string id;
  std::string name;
  ScopeSet scopes;
  std::string hash;  // SHA-256 of the token, in hex
  TimeMs created_at;
  std::optional<TimeMs> revoked_at;
};

struct NewServiceKey {
  std::string id;
  std::string token;
};

// Call it inside a write. The name must have 1 to 64 characters of A-Z a-z 0-9 _ . - and the scopes must not
// be empty. Otherwise the refusal is invalid_request.
Result<NewServiceKey> create_service_key(sql::Session& session, std::string_view name, ScopeSet scopes,
                                         TimeMs now);
std::vector<ServiceKey> list_service_keys(sql::Session& session);
// Call it inside a write. Refusal: service_key_not_found. Revoking a key again changes nothing.
Result<ServiceKey> revoke_service_key(sql::Session& session, std::string_view id, TimeMs now);

// For the first start: makes an admin key if there is no valid one. If two servers start at once on one
// database, only one of them makes the key. `keep` is called before the key is valid, so that a crash in
// between does not lose its token. Blocks.
std::optional<NewServiceKey> create_admin_key_if_none(
    sql::Database& sql, TimeMs now, std::function<void(NewServiceKey const&)> const& keep = {});

// All keys in memory, for every request. Thread-safe, never blocks.
//
// Known keys need no SQL, so they work while SQL is unavailable. For a token of an unknown key, the table is
// read again, but at most once per second. So a new key works within a second, and a flood of bad tokens does
// not reach SQL. Requests with unknown keys that come while the table is being read wait for the result. A
// revoked key stops working at the next refresh, so run keep_fresh().
class ServiceKeys final : public Scheme {
 public:
  // Both must outlive the ServiceKeys.
  ServiceKeys(sql::Database& sql, Clock const& clock);

  // Recognises every Authorization field, so that tokens of no known kind are refused here. Must therefore be
  // the last scheme of a chain.
  bool recognises(Credentials const& credentials) const override {
    return !credentials.authorization.empty();
  }
  // Expects "Bearer lk_...".
  Task<Result<Caller>> authenticate(Credentials credentials) override;

  // Reads the table. Throws StoreError if SQL is unavailable.
  Task<void> refresh() { return keys_.refresh(); }
  // Refreshes every 5 s until it is cancelled (asio) or its io_context stops.
  Task<void> keep_fresh();

 private:
  using Keys = std::unordered_map<std::string, ServiceKey>;

  TableCopy<Keys> keys_;
};

}  // namespace larder::accounts
