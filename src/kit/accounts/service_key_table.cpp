#include "kit/accounts/service_key_table.hpp"

#include "base/hash.hpp"
#include "base/ids.hpp"
#include "base/limits.hpp"
#include "base/number.hpp"
#include "base/random.hpp"
#include "base/try.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sodium.h>

#include <algorithm>
#include <tuple>

namespace larder::accounts {

namespace {

constexpr std::string_view token_prefix = "lk_";
constexpr std::size_t secret_bytes = 32;
constexpr std::string_view key_columns =
    "id, name, scopes, hash, created_at, revoked_at, realms, reads_only, expires_at, last_used_at, "
    "older_tokens";
constexpr std::string_view first_start = "first_start";
// Each scope of a limited key is stored with this prefix. A server of a version that knows no limits does not
// know such names, so the key opens nothing there.
constexpr std::string_view limited = "limited.";

std::string stored_scopes(KeyTerms const& terms) {
  if (!terms.is_limited()) return terms.scopes.text();
  std::string text;
  for (std::size_t i = 0; i < scope_names.size(); ++i) {
    if (!terms.scopes.contains(Scope(i))) continue;
    text += fmt::format("{}{}{}", text.empty() ? "" : ",", limited, scope_names[i]);
  }
  return text;
}

ScopeSet read_scopes(std::string text) {
  for (auto at = text.find(limited); at != std::string::npos; at = text.find(limited, at))
    text.erase(at, limited.size());
  return ScopeSet::parse_known(text);
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    auto const comma = std::min(list.find(','), list.size());
    words.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return words;
}

// "<hash>:<until ms>,..."
std::vector<OlderToken> read_tokens(std::string_view list) {
  std::vector<OlderToken> tokens;
  for (auto const& word : split(list)) {
    auto const colon = std::min(word.find(':'), word.size());
    auto const until = parse_int(std::string_view(word).substr(std::min(colon + 1, word.size())));
    tokens.push_back({.hash = word.substr(0, colon), .until = {until.value_or(0)}});
  }
  return tokens;
}

std::string stored_tokens(std::vector<OlderToken> const& tokens) {
  std::string text;
  for (auto const& [hash, until] : tokens)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", hash, until.value);
  return text;
}

sql::Value optional_text(std::string text) {
  return text.empty() ? sql::Value(nullptr) : sql::Value(std::move(text));
}

sql::Value optional_time(std::optional<TimeMs> time) {
  return time ? sql::Value(time->value) : sql::Value(nullptr);
}

std::optional<TimeMs> read_time(sql::Row const& row, std::size_t column) {
  auto const ms = row.optional_int64(column);
  return ms ? std::optional(TimeMs{*ms}) : std::nullopt;
}

ServiceKey read_key(sql::Row const& row) {
  return {.id = row.text(0),
          .terms = {.name = row.text(1),
                    .scopes = read_scopes(row.text(2)),
                    .realms = split(row.optional_text(6).value_or("")),
                    .read_only = row.optional_int64(7).value_or(0) != 0,
                    .expires_at = read_time(row, 8)},
          .hash = row.text(3),
          .older_tokens = read_tokens(row.optional_text(10).value_or("")),
          .created_at = {row.int64(4)},
          .revoked_at = read_time(row, 5),
          .last_used_at = read_time(row, 9)};
}

Result<void> check_realms(KeyTerms const& terms) {
  auto const& realms = terms.realms;
  if (realms.empty()) return {};
  bool const good =
      realms.size() <= limits::key_realms_max && std::ranges::all_of(realms, [](auto const& name) {
        return !name.empty() && name.size() <= limits::realm_chars_max && all_in_charset(name, "_.-");
      });
  if (!good) {
    return invalid("realms",
                   fmt::format("realms must be 1 to {} names of 1 to {} characters of A-Z a-z 0-9 _ . -",
                               limits::key_realms_max, limits::realm_chars_max));
  }
  if (terms.scopes != ScopeSet{Scope::economy}) {
    return invalid(
        "realms",
        "only the economy has realms, so a key with realms must have the scope economy and no other: "
        "make another key for the other systems");
  }
  return {};
}

Result<void> check_terms(KeyTerms const& terms) {
  if (terms.name.empty() || terms.name.size() > limits::key_name_chars_max ||
      !all_in_charset(terms.name, "_.-")) {
    return invalid("name", fmt::format("name must be 1 to {} characters of A-Z a-z 0-9 _ . -",
                                       limits::key_name_chars_max));
  }
  if (terms.scopes.empty()) return invalid("scopes", "scopes must not be empty");
  return check_realms(terms);
}

Result<void> check_expiry(std::optional<TimeMs> expires_at, TimeMs now) {
  if (expires_at && *expires_at <= now)
    return invalid("expires_at", "expires_at must be in the future; to end a key now, revoke it");
  return {};
}

void put_in_order(std::vector<std::string>& realms) {
  std::ranges::sort(realms);
  realms.erase(std::ranges::unique(realms).begin(), realms.end());
}

std::string new_token(std::string_view id) {
  return fmt::format("{}{}_{}", token_prefix, id, random_hex(secret_bytes));
}

NewServiceKey insert_key(sql::Session& session, std::string id, KeyTerms terms, TimeMs now) {
  auto token = new_token(id);
  ServiceKey key{.id = std::move(id),
                 .terms = std::move(terms),
                 .hash = sha256_hex(token),
                 .older_tokens = {},
                 .created_at = now,
                 .revoked_at = {},
                 .last_used_at = {}};
  session.execute(
      "INSERT INTO service_key (id, name, scopes, hash, created_at, realms, reads_only, expires_at) VALUES "
      "(?, ?, ?, "
      "?, ?, ?, ?, ?)",
      {key.id, key.terms.name, stored_scopes(key.terms), key.hash, now.value,
       optional_text(fmt::format("{}", fmt::join(key.terms.realms, ","))), std::int64_t(key.terms.read_only),
       optional_time(key.terms.expires_at)});
  return {.key = std::move(key), .token = std::move(token)};
}

// Locks the row until the transaction ends, so that no other writer comes between the read and the write.
Result<ServiceKey> lock_key(sql::Session& session, std::string_view id) {
  std::string const wanted(id);
  session.execute("UPDATE service_key SET name = name WHERE id = ?", {wanted});
  auto const rows =
      session.query(fmt::format("SELECT {} FROM service_key WHERE id = ?", key_columns), {wanted});
  if (rows.empty()) {
    return refuse(errors::service_key_not_found,
                  "there is no service key with this id; `larder key list` shows all");
  }
  return read_key(rows.front());
}

Result<ServiceKey> lock_valid_key(sql::Session& session, std::string_view id) {
  TRY(auto key, lock_key(session, id));
  if (key.revoked_at)
    return refuse(errors::service_key_revoked, "the service key is revoked for good; make another one");
  return key;
}

}  // namespace

std::optional<TimeMs> ServiceKey::older_until(TimeMs now) const {
  std::optional<TimeMs> last;
  for (auto const& token : older_tokens) {
    if (now < token.until) last = std::max(last.value_or(token.until), token.until);
  }
  return last;
}

std::vector<std::string> parse_realms(std::string_view list) {
  auto words = split(list);
  if (list.ends_with(',')) words.emplace_back();  // so that it is refused
  return words;
}

Result<NewServiceKey> create_service_key(sql::Session& session, KeyTerms terms, TimeMs now) {
  TRY_DO(check_terms(terms));
  TRY_DO(check_expiry(terms.expires_at, now));
  put_in_order(terms.realms);
  return insert_key(session, random_hex(6), std::move(terms), now);
}

std::vector<ServiceKey> list_service_keys(sql::Session& session) {
  std::vector<ServiceKey> keys;
  for (auto const& row : session.query(fmt::format("SELECT {} FROM service_key", key_columns)))
    keys.push_back(read_key(row));
  std::ranges::sort(keys, {}, [](ServiceKey const& key) { return std::tie(key.created_at, key.id); });
  return keys;
}

Result<ServiceKey> change_service_key(sql::Session& session, std::string_view id, KeyChange const& change,
                                      TimeMs now) {
  TRY(auto key, lock_valid_key(session, id));
  auto& terms = key.terms;
  if (change.name) terms.name = *change.name;
  if (change.scopes) terms.scopes = *change.scopes;
  if (change.realms) terms.realms = *change.realms;
  if (change.read_only) terms.read_only = *change.read_only;
  if (change.expires_at || change.clears_expires_at) terms.expires_at = change.expires_at;
  TRY_DO(check_terms(terms));
  TRY_DO(check_expiry(change.expires_at, now));
  put_in_order(terms.realms);
  session.execute(
      "UPDATE service_key SET name = ?, scopes = ?, realms = ?, reads_only = ?, expires_at = ? WHERE id = ?",
      {terms.name, stored_scopes(terms), optional_text(fmt::format("{}", fmt::join(terms.realms, ","))),
       std::int64_t(terms.read_only), optional_time(terms.expires_at), key.id});
  return key;
}

Result<ServiceKey> revoke_service_key(sql::Session& session, std::string_view id, TimeMs now) {
  TRY(auto key, lock_key(session, id));
  if (key.revoked_at) return key;
  key.revoked_at = now;
  session.execute("UPDATE service_key SET revoked_at = ? WHERE id = ?", {now.value, key.id});
  return key;
}

Result<NewServiceKey> rotate_service_key(sql::Session& session, std::string_view id, std::int64_t overlap_s,
                                         TimeMs now) {
  TRY(auto key, lock_valid_key(session, id));
  auto const until = now + overlap_s * 1000;
  auto& older = key.older_tokens;
  older.push_back({.hash = key.hash, .until = until});
  for (auto& token : older) token.until = std::min(token.until, until);
  std::erase_if(older, [&](OlderToken const& token) { return token.until <= now; });
  if (older.size() > limits::key_older_tokens_max) {
    return refuse(
        errors::too_many_tokens,
        fmt::format("{} older tokens of this key still go on; wait until one ends, or choose a shorter "
                    "overlap",
                    older.size() - 1));
  }
  auto token = new_token(key.id);
  key.hash = sha256_hex(token);
  session.execute("UPDATE service_key SET hash = ?, older_tokens = ? WHERE id = ?",
                  {key.hash, optional_text(stored_tokens(older)), key.id});
  return NewServiceKey{.key = std::move(key), .token = std::move(token)};
}

void note_uses(sql::Session& session, std::vector<std::pair<std::string, TimeMs>> const& uses) {
  for (auto const& [id, at] : uses) {
    session.execute(
        "UPDATE service_key SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)",
        {at.value, id, at.value});
  }
}

std::optional<NewServiceKey> create_first_admin_key(sql::Database& sql, TimeMs now,
                                                    std::function<void(NewServiceKey const&)> const& keep) {
  try {
    return sql.write_now([&](sql::Session& session) -> std::optional<NewServiceKey> {
      std::string const mark(first_start);
      if (!session.query("SELECT name FROM service_key_mark WHERE name = ?", {mark}).empty())
        return std::nullopt;
      // The primary key admits only one of two servers.
      session.execute("INSERT INTO service_key_mark (name, made_at) VALUES (?, ?)", {mark, now.value});
      // Somebody has made one before, or an earlier version has.
      bool const has_admin = std::ranges::any_of(list_service_keys(session), [](ServiceKey const& key) {
        return key.terms.scopes.contains(Scope::admin);
      });
      if (has_admin) return std::nullopt;
      auto made = insert_key(session, "admin1", {.name = "admin", .scopes = {Scope::admin}}, now);
      if (keep) keep(made);
      return made;
    });
  } catch (sql::ConstraintError const&) {
    return std::nullopt;
  }
}

std::optional<std::string> key_id_of(std::string_view token) {
  if (!token.starts_with(token_prefix)) return std::nullopt;
  token.remove_prefix(token_prefix.size());
  auto const end = token.find('_');
  if (end == 0 || end == std::string_view::npos || token.size() - end - 1 != 2 * secret_bytes)
    return std::nullopt;
  return std::string(token.substr(0, end));
}

bool opens(std::string_view token, ServiceKey const& key, TimeMs now) {
  auto const hash = sha256_hex(token);
  auto const same = [&](std::string_view other) {
    return hash.size() == other.size() && sodium_memcmp(hash.data(), other.data(), hash.size()) == 0;
  };
  return same(key.hash) || std::ranges::any_of(key.older_tokens, [&](OlderToken const& older) {
           return now < older.until && same(older.hash);
         });
}

}  // namespace larder::accounts
