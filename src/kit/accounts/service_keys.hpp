// Service keys: the tokens `lk_<key id>_<64 hex digits>` of bots and back ends. A token is shown once, when
// it is made; only its SHA-256 is stored, which is enough for a secret of 256 random bits.
#pragma once

#include "base/error.hpp"
#include "base/scope.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "stores/sql/sql.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace larder {

namespace errors {
inline constexpr ErrorCode service_key_not_found{ErrorKind::not_found, "service_key_not_found"};
inline constexpr ErrorCode service_keys_unavailable{ErrorKind::unavailable, "store_unavailable"};
}  // namespace errors

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
Result<NewServiceKey> create_service_key(SqlSession& session, std::string_view name, ScopeSet scopes,
                                         TimeMs now);
std::vector<ServiceKey> list_service_keys(SqlSession& session);
// Revoking again changes nothing.
Result<ServiceKey> revoke_service_key(SqlSession& session, std::string_view id, TimeMs now);

// The first start: an admin key if no valid one exists. Of two servers that start at once on one database,
// one gets the key.
// `keep` is called before the key is valid, so that a crash in between does not lose its token.
std::optional<NewServiceKey> create_admin_key_if_none(
    Sql& sql, TimeMs now, std::function<void(NewServiceKey const&)> const& keep = {});

// All keys in memory, asked on every request. Thread-safe, never blocks.
//
// Known keys need no SQL and go on working while it is away. A token of an unknown key reads the table again,
// at most once per second for all of them together: a key just made works within a second, a flood of bad
// tokens does not reach SQL. Requests that come while the table is read wait for that. Revoked keys stop
// working with the next refresh: run keep_fresh().
class ServiceKeys {
 public:
  // Both must outlive it.
  ServiceKeys(Sql& sql, Clock const& clock);

  // "Bearer lk_..."; the text must stay while the coroutine runs.
  Task<Result<Caller>> authenticate(std::string_view authorization);

  // Throws StoreError if SQL is away.
  Task<void> refresh();
  // Refreshes every 5 s until it is cancelled (asio) or its io_context stops.
  Task<void> keep_fresh();

 private:
  using Keys = std::unordered_map<std::string, ServiceKey>;

  enum class Turn { refresh, wait, none };
  Turn take_turn();
  Task<void> look_again();

  Sql& sql_;
  Clock const& clock_;
  std::atomic<std::shared_ptr<Keys const>> keys_;
  std::mutex turn_mutex_;
  std::int64_t looked_at_ = 0;         // guarded by turn_mutex_
  std::atomic<bool> looking_ = false;  // set under turn_mutex_
  std::atomic<bool> refresh_failed_ = false;
};

}  // namespace larder
