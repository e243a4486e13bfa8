// Service keys: the tokens `lk_<key id>_<64 hex digits>` of bots and back ends. A token is shown once, when
// it is made; only its SHA-256 is stored, which is enough for a secret of 256 random bits.
#pragma once

#include "base/error.hpp"
#include "base/single_flight.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "kit/accounts/authenticator.hpp"
#include "stores/sql/database.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace larder::errors {
inline constexpr ErrorCode service_key_not_found{ErrorKind::not_found, "service_key_not_found"};
inline constexpr ErrorCode service_keys_unavailable{ErrorKind::unavailable, "store_unavailable"};
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

// Inside of a write. The name has 1 to 64 characters of A-Z a-z 0-9 _ . -
Result<NewServiceKey> create_service_key(sql::Session& session, std::string_view name, ScopeSet scopes,
                                         TimeMs now);
std::vector<ServiceKey> list_service_keys(sql::Session& session);
// Revoking again changes nothing.
Result<ServiceKey> revoke_service_key(sql::Session& session, std::string_view id, TimeMs now);

// The first start: an admin key if no valid one exists. Of two servers that start at once on one database,
// one gets the key.
// `keep` is called before the key is valid, so that a crash in between does not lose its token.
std::optional<NewServiceKey> create_admin_key_if_none(
    sql::Database& sql, TimeMs now, std::function<void(NewServiceKey const&)> const& keep = {});

// All keys in memory, asked on every request. Thread-safe, never blocks.
//
// Known keys need no SQL and go on working while it is away. A token of an unknown key reads the table again,
// at most once per second for all of them together: a key just made works within a second, a flood of bad
// tokens does not reach SQL. Requests that come while the table is read wait for that. Revoked keys stop
// working with the next refresh: run keep_fresh().
class ServiceKeys final : public Scheme {
 public:
  // Both must outlive it.
  ServiceKeys(sql::Database& sql, Clock const& clock);

  // Every Authorization field, so that a token of no known kind is refused here: the last scheme of a chain.
  bool recognises(Credentials const& credentials) const override {
    return !credentials.authorization.empty();
  }
  // "Bearer lk_..."
  Task<Result<Caller>> authenticate(Credentials credentials) override;

  // Throws StoreError if SQL is away.
  Task<void> refresh();
  // Refreshes every 5 s until it is cancelled (asio) or its io_context stops.
  Task<void> keep_fresh();

 private:
  using Keys = std::unordered_map<std::string, ServiceKey>;

  Task<void> look_again();

  sql::Database& sql_;
  Clock const& clock_;
  std::atomic<std::shared_ptr<Keys const>> keys_;
  SingleFlight looking_;
  std::atomic<std::int64_t> looked_at_ = 0;  // written by the one who looks
  std::atomic<bool> refresh_failed_ = false;
};

}  // namespace larder::accounts
