// Service keys: the tokens `lk_<key id>_<64 hex digits>` of bots and back ends. A token is shown only once,
// when it is made. SQL has only its SHA-256, which is safe enough for a secret of 256 random bits.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "base/time.hpp"
#include "kit/accounts/authenticator.hpp"
#include "kit/accounts/key_uses.hpp"
#include "kit/accounts/service_key_table.hpp"
#include "kit/accounts/table_copy.hpp"

#include <string>
#include <unordered_map>

namespace larder::accounts {

// All keys in memory, for every request. Thread-safe, never blocks.
//
// Known keys need no SQL, so they work while SQL is unavailable. For a token of an unknown key, or an unknown
// token of a known key, the table is read again, but at most once per second. So a new token works within a
// second, and a flood of bad tokens does not reach SQL. Requests with unknown tokens that come while the
// table is being read wait for the result. A revoked or changed key counts from the next refresh on, so run
// keep_fresh().
class ServiceKeys final : public Scheme {
 public:
  // Both must outlive the ServiceKeys.
  ServiceKeys(sql::Database& sql, Clock const& clock);

  // Recognises every Authorization field, so that tokens of unknown kinds are refused here. So it must be the
  // last scheme of a chain.
  bool recognises(Credentials const& credentials) const override {
    return !credentials.authorization.empty();
  }
  // Expects "Bearer lk_...".
  Task<Result<Caller>> authenticate(Credentials credentials) override;

  // Reads the table. Throws StoreError if SQL is unavailable.
  Task<void> refresh() { return keys_.refresh(); }
  // Writes to SQL when each key was last used. Throws StoreError; then the next call writes it.
  Task<void> write_uses();
  // Refreshes every 5 s, and writes the uses after every twelfth time, until it is cancelled (asio) or its
  // io_context stops.
  Task<void> keep_fresh(std::chrono::milliseconds every = std::chrono::seconds(5));

 private:
  struct Known {
    ServiceKey key;
    std::shared_ptr<KeyUses::Use> use;
  };
  using Keys = std::unordered_map<std::string, Known>;

  // The key that the token opens; null if it opens none.
  static Known const* find(Keys const& keys, std::string const& id, std::string_view token, TimeMs now);

  sql::Database& sql_;
  Clock const& clock_;
  std::shared_ptr<KeyUses> uses_;
  TableCopy<Keys> keys_;
};

}  // namespace larder::accounts
