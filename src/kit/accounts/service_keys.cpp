#include "kit/accounts/service_keys.hpp"

#include "base/log.hpp"

#include <sodium.h>

namespace larder::accounts {

namespace {

constexpr int refreshes_per_write = 12;

std::unexpected<Error> unauthorized(std::string detail) {
  return refuse(errors::unauthorized, std::move(detail));
}

}  // namespace

ServiceKeys::ServiceKeys(sql::Database& sql, Clock const& clock)
    : sql_(sql),
      clock_(clock),
      uses_(std::make_shared<KeyUses>()),
      keys_(sql, clock, [uses = uses_](sql::Session& session) {
        Keys keys;
        for (auto& key : list_service_keys(session)) {
          auto const id = key.id;
          keys.emplace(id, Known{.key = std::move(key), .use = uses->of(id)});
        }
        return keys;
      }) {
  LARDER_ASSERT(sodium_init() >= 0);
}

ServiceKeys::Known const* ServiceKeys::find(Keys const& keys, std::string const& id, std::string_view token,
                                            TimeMs now) {
  auto const found = keys.find(id);
  return found != keys.end() && opens(token, found->second.key, now) ? &found->second : nullptr;
}

Task<Result<Caller>> ServiceKeys::authenticate(Credentials credentials) {
  auto const token = bearer_token(credentials.authorization);
  if (token.empty()) co_return unauthorized("send the header Authorization: Bearer <service key>");
  auto const id = key_id_of(token);
  if (!id) co_return unauthorized("this is not a service key; `larder key create` makes one");

  auto const now = clock_.unchecked();
  auto keys = keys_.get();
  auto known = find(*keys, *id, token, now);
  if (!known) {
    co_await keys_.look_again();
    keys = keys_.get();
    known = find(*keys, *id, token, now);
  }
  if (!known) {
    if (keys_.is_doubtful()) throw StoreError("the token is not known yet, and SQL is unavailable", false);
    co_return unauthorized("the service key is unknown or its secret is wrong");
  }
  auto const& [key, use] = *known;
  if (key.revoked_at)
    co_return unauthorized("the service key was revoked; `larder key create` makes another");
  if (!key.is_valid(now)) co_return unauthorized("the service key has expired");
  use->note(now);
  co_return Caller{.id = key.id,
                   .name = key.terms.name,
                   .player_id = {},
                   .scopes = key.terms.scopes,
                   .read_only = key.terms.read_only,
                   .realms = key.terms.realms};
}

Task<void> ServiceKeys::write_uses() {
  auto const uses = uses_->unwritten();
  if (uses.empty()) co_return;
  co_await sql_.write([uses](sql::Session& session) { note_uses(session, uses); });
  uses_->written(uses);
}

Task<void> ServiceKeys::keep_fresh(std::chrono::milliseconds every) {
  bool told = false;
  for (int round = 1;; ++round) {
    try {
      co_await refresh();
      if (round % refreshes_per_write == 0) co_await write_uses();
      told = false;
    } catch (std::exception const& error) {
      if (!std::exchange(told, true)) log::warn("service keys not refreshed", {{"error", error.what()}});
    }
    co_await sleep_for(every);
  }
}

}  // namespace larder::accounts
