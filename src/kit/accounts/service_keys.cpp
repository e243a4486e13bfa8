#include "kit/accounts/service_keys.hpp"

#include "base/hash.hpp"
#include "base/ids.hpp"
#include "base/limits.hpp"
#include "base/log.hpp"
#include "base/random.hpp"

#include <fmt/format.h>
#include <sodium.h>

namespace larder::accounts {

namespace {

constexpr std::string_view token_prefix = "lk_";
constexpr std::size_t secret_bytes = 32;
constexpr std::chrono::seconds refresh_every{5};

bool same_hash(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

// The key id inside a token. Returns nothing if `token` does not look like a service key.
std::optional<std::string> key_id_of(std::string_view token) {
  if (!token.starts_with(token_prefix)) return std::nullopt;
  token.remove_prefix(token_prefix.size());
  auto const end = token.find('_');
  if (end == 0 || end == std::string_view::npos || token.size() - end - 1 != 2 * secret_bytes)
    return std::nullopt;
  return std::string(token.substr(0, end));
}

std::unexpected<Error> unauthorized(std::string detail) {
  return refuse(errors::unauthorized, std::move(detail));
}

NewServiceKey insert_key(sql::Session& session, std::string const& id, std::string const& name,
                         ScopeSet scopes, TimeMs now) {
  NewServiceKey made{id, fmt::format("{}{}_{}", token_prefix, id, random_hex(secret_bytes))};
  session.execute("INSERT INTO service_key (id, name, scopes, hash, created_at) VALUES (?, ?, ?, ?, ?)",
                  {id, name, scopes.text(), sha256_hex(made.token), now.value});
  return made;
}

}  // namespace

Result<NewServiceKey> create_service_key(sql::Session& session, std::string_view name, ScopeSet scopes,
                                         TimeMs now) {
  if (name.empty() || name.size() > limits::key_name_chars_max || !all_in_charset(name, "_.-")) {
    return invalid("name", fmt::format("name must be 1 to {} characters of A-Z a-z 0-9 _ . -",
                                       limits::key_name_chars_max));
  }
  if (scopes.empty()) return invalid("scopes", "scopes must not be empty");
  return insert_key(session, random_hex(6), std::string(name), scopes, now);
}

std::vector<ServiceKey> list_service_keys(sql::Session& session) {
  std::vector<ServiceKey> keys;
  for (auto const& row : session.query("SELECT id, name, scopes, hash, created_at, revoked_at FROM "
                                       "service_key ORDER BY created_at, id")) {
    auto const revoked_at = row.optional_int64(5);
    keys.push_back({.id = row.text(0),
                    .name = row.text(1),
                    .scopes = ScopeSet::parse_known(row.text(2)),
                    .hash = row.text(3),
                    .created_at = {row.int64(4)},
                    .revoked_at = revoked_at ? std::optional(TimeMs{*revoked_at}) : std::nullopt});
  }
  return keys;
}

Result<ServiceKey> revoke_service_key(sql::Session& session, std::string_view id, TimeMs now) {
  session.execute("UPDATE service_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
                  {now.value, std::string(id)});
  auto keys = list_service_keys(session);
  auto const found = std::ranges::find(keys, id, &ServiceKey::id);
  if (found == keys.end()) {
    return refuse(errors::service_key_not_found,
                  "there is no service key with this id; `larder key list` shows all");
  }
  return std::move(*found);
}

std::optional<NewServiceKey> create_admin_key_if_none(sql::Database& sql, TimeMs now,
                                                      std::function<void(NewServiceKey const&)> const& keep) {
  try {
    return sql.write_now([&](sql::Session& session) -> std::optional<NewServiceKey> {
      int admins = 0;
      for (auto const& key : list_service_keys(session)) {
        if (!key.scopes.contains(Scope::admin)) continue;
        if (!key.revoked_at) return std::nullopt;
        ++admins;
      }
      // Another server would choose the same id, so the primary key admits only one of the two keys.
      auto key = insert_key(session, fmt::format("admin{}", admins + 1), "admin", {Scope::admin}, now);
      if (keep) keep(key);
      return key;
    });
  } catch (sql::ConstraintError const&) {
    return std::nullopt;
  }
}

ServiceKeys::ServiceKeys(sql::Database& sql, Clock const& clock)
    : keys_(sql, clock, [](sql::Session& session) {
        Keys keys;
        for (auto& key : list_service_keys(session)) keys.emplace(key.id, std::move(key));
        return keys;
      }) {
  LARDER_ASSERT(sodium_init() >= 0);
}

Task<Result<Caller>> ServiceKeys::authenticate(Credentials credentials) {
  auto const token = bearer_token(credentials.authorization);
  if (token.empty()) co_return unauthorized("send the header Authorization: Bearer <service key>");
  auto const id = key_id_of(token);
  if (!id) co_return unauthorized("this is not a service key; `larder key create` makes one");

  auto keys = keys_.get();
  if (!keys->contains(*id)) {
    co_await keys_.look_again();
    keys = keys_.get();
  }
  auto const found = keys->find(*id);
  if (found == keys->end()) {
    if (keys_.is_doubtful()) throw StoreError("the key is not known yet, and SQL is unavailable", false);
    co_return unauthorized("the service key is unknown or its secret is wrong");
  }
  auto const& key = found->second;
  if (!same_hash(sha256_hex(token), key.hash)) {
    co_return unauthorized("the service key is unknown or its secret is wrong");
  }
  if (key.revoked_at) co_return unauthorized("the service key was revoked");
  co_return Caller{.id = key.id, .name = key.name, .player_id = {}, .scopes = key.scopes};
}

Task<void> ServiceKeys::keep_fresh() {
  for (;;) {
    try {
      co_await refresh();
    } catch (std::exception const& error) {
      log::warn("service keys not refreshed", {{"error", error.what()}});
    }
    co_await sleep_for(refresh_every);
  }
}

}  // namespace larder::accounts
