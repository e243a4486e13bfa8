// The accounts in SQL, from which a lost Redis can be rebuilt. The events of the outbox bring them here.
#pragma once

#include "kit/accounts/account_types.hpp"
#include "stores/redis/stream_ids.hpp"
#include "stores/sql/database.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace larder::accounts {

// What the outbox says about an account: the whole account after a change. The fields of an event are those
// that account.lua writes. A deleted account has no name and no hash.
struct AccountEvent {
  std::string type;  // registered, password_changed, disabled, enabled or deleted
  TimeMs at;
  Account account;
};

// A row of the table. The row of a deleted account has only its id, generation and times.
struct AccountRow {
  Account account;
  std::optional<TimeMs> deleted_at = {};
};

// `field` returns a field of the event; empty if it is missing. Nothing if another program has written the
// event.
std::optional<AccountEvent> to_account_event(std::function<std::string(std::string_view)> const& field);

// Call it within a transaction. An event that is older than the row, or that the row already has, changes
// nothing. So events may come twice.
void write_account_events(sql::Session& session, std::span<AccountEvent const> events);

// Notes that SQL has the events of the outbox up to this one. Call it within the transaction that writes
// them.
void note_newest_event(sql::Session& session, redis::StreamId id);
// 0-0 if SQL has none, or only those of a version that did not note them.
redis::StreamId find_newest_event(sql::Session& session);

// Up to `limit` rows by id, after the id `after`.
std::vector<AccountRow> list_account_rows(sql::Session& session, std::string const& after, int limit);
// Up to `limit` accounts that are not deleted, by name. Only those whose folded name begins with `prefix`.
std::vector<AccountRow> list_accounts_by_name(sql::Session& session, std::string const& prefix, int limit);
// The same, without looking at other accounts, for a name that nobody has folded.
std::vector<Account> find_accounts_by_name(sql::Session& session, std::string_view prefix, int limit);
// The one with the highest id among those that are not deleted.
std::optional<Account> find_newest_account(sql::Session& session);
std::optional<AccountRow> find_account_row(sql::Session& session, UserId const& id);

// Calls `each` with portions of all rows of the table.
template <class Each>
Task<void> for_each_portion(sql::Database& sql, Each each) {
  constexpr int rows_at_once = 200;
  for (std::string after;;) {
    auto const rows = co_await sql.read(
        [after](sql::Session& session) { return list_account_rows(session, after, rows_at_once); });
    if (rows.empty()) co_return;
    after = rows.back().account.id.str();
    co_await each(rows);
  }
}

}  // namespace larder::accounts
