#include "kit/accounts/account_table.hpp"

#include "base/json.hpp"
#include "base/number.hpp"
#include "kit/accounts/player_names.hpp"

#include <fmt/format.h>

#include <map>

namespace larder::accounts {

namespace {

constexpr std::string_view columns =
    "id, username, hashed_password, generation, disabled, created_at, deleted_at";

constexpr std::string_view last_character = "\xF4\x8F\xBF\xBF";  // no other one comes after it

AccountRow read_row(sql::Row const& row) {
  auto const deleted_at = row.optional_int64(6);
  return {.account = {.id = UserId::from(row.text(0)).value(),
                      .username = row.text(1),
                      .hashed_password = row.text(2),
                      .generation = row.int64(3),
                      .disabled = row.int64(4) != 0,
                      .created_at = {row.int64(5)}},
          .deleted_at = deleted_at ? std::optional(TimeMs{*deleted_at}) : std::nullopt};
}

std::vector<AccountRow> read_rows(std::vector<sql::Row> const& rows) {
  std::vector<AccountRow> found;
  found.reserve(rows.size());
  for (auto const& row : rows) found.push_back(read_row(row));
  return found;
}

sql::Value deleted_at(AccountEvent const& event) {
  return event.type == "deleted" ? sql::Value(event.at.value) : sql::Value(nullptr);
}

void update_row(sql::Session& session, AccountEvent const& event) {
  auto const& account = event.account;
  session.execute(
      "UPDATE account SET username = ?, name_key = ?, hashed_password = ?, disabled = ?, deleted_at = ?, "
      "generation = ? WHERE id = ? AND generation < ?",
      {account.username, fold_name(account.username), account.hashed_password, std::int64_t(account.disabled),
       deleted_at(event), account.generation, account.id.str(), account.generation});
}

}  // namespace

std::optional<AccountEvent> to_account_event(std::function<std::string(std::string_view)> const& field) {
  auto const number = [&](std::string_view name) { return parse_int(field(name)).value_or(0); };
  auto id = UserId::from(field("user_id"));
  if (!id) return std::nullopt;
  return AccountEvent{.type = field("type"),
                      .at = {number("at")},
                      .account = {.id = std::move(*id),
                                  .username = field("username"),
                                  .hashed_password = field("hashed_password"),
                                  .generation = number("generation"),
                                  .disabled = field("disabled") == "1",
                                  .created_at = {number("created_at")}}};
}

void write_account_events(sql::Session& session, std::span<AccountEvent const> events) {
  std::map<UserId, AccountEvent const*> newest;
  for (auto const& event : events) {
    auto const*& known = newest[event.account.id];
    if (!known || known->account.generation < event.account.generation) known = &event;
  }
  std::vector<sql::Values> rows;
  for (auto const& [id, event] : newest) {
    auto const& account = event->account;
    rows.push_back({id.str(), account.username, fold_name(account.username), account.hashed_password,
                    account.generation, std::int64_t(account.disabled), account.created_at.value,
                    deleted_at(*event)});
  }
  session.bulk_insert(
      "account",
      {"id", "username", "name_key", "hashed_password", "generation", "disabled", "created_at", "deleted_at"},
      rows, sql::OnConflict::ignore);
  for (auto const& [id, event] : newest) update_row(session, *event);
}

void note_newest_event(sql::Session& session, redis::StreamId id) {
  std::vector<sql::Values> const first{{std::int64_t(1), std::int64_t(0), std::int64_t(0)}};
  session.bulk_insert("account_newest_event", {"id", "event_ms", "event_seq"}, first,
                      sql::OnConflict::ignore);
  session.execute(
      "UPDATE account_newest_event SET event_ms = ?, event_seq = ? WHERE id = 1 AND (event_ms < ? OR "
      "(event_ms = ? AND "
      "event_seq < ?))",
      {id.ms, id.sequence, id.ms, id.ms, id.sequence});
}

redis::StreamId find_newest_event(sql::Session& session) {
  auto const rows = session.query("SELECT event_ms, event_seq FROM account_newest_event");
  return rows.empty() ? redis::StreamId{}
                      : redis::StreamId{.ms = rows[0].int64(0), .sequence = rows[0].int64(1)};
}

std::vector<AccountRow> list_account_rows(sql::Session& session, std::string const& after, int limit) {
  return read_rows(session.query(
      fmt::format("SELECT {} FROM account WHERE id > ? ORDER BY id LIMIT {}", columns, limit), {after}));
}

std::vector<AccountRow> list_accounts_by_name(sql::Session& session, std::string const& prefix, int limit) {
  // Not LIKE, because an underscore in its pattern stands for any character.
  return read_rows(
      session.query(fmt::format("SELECT {} FROM account WHERE deleted_at IS NULL AND SUBSTR(name_key, 1, {}) "
                                "= ? ORDER BY name_key LIMIT {}",
                                columns, count_chars(prefix), limit),
                    {prefix}));
}

// A range of the index of the names. PostgreSQL has an index of its own for it, in the order of the bytes.
std::vector<Account> find_accounts_by_name(sql::Session& session, std::string_view prefix, int limit) {
  auto const from = fold_name(prefix);
  if (from.empty()) return {};
  std::string_view const bytes = session.dialect() == sql::Dialect::postgresql ? R"( COLLATE "C")" : "";
  auto const rows = session.query(
      fmt::format("SELECT {0} FROM account WHERE name_key{1} >= ? AND name_key{1} < ? AND deleted_at IS NULL "
                  "ORDER BY name_key{1} LIMIT {2}",
                  columns, bytes, limit),
      {from, from + std::string(last_character)});
  std::vector<Account> found;
  for (auto const& row : rows) found.push_back(read_row(row).account);
  return found;
}

std::optional<Account> find_newest_account(sql::Session& session) {
  auto const rows = session.query(
      fmt::format("SELECT {} FROM account WHERE deleted_at IS NULL ORDER BY id DESC LIMIT 1", columns));
  return rows.empty() ? std::nullopt : std::optional(read_row(rows.front()).account);
}

std::optional<AccountRow> find_account_row(sql::Session& session, UserId const& id) {
  auto const rows = session.query(fmt::format("SELECT {} FROM account WHERE id = ?", columns), {id.str()});
  return rows.empty() ? std::nullopt : std::optional(read_row(rows.front()));
}

}  // namespace larder::accounts
