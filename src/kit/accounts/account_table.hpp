// The accounts in SQL, from which a lost Redis can be rebuilt. The events of the outbox bring them here.
#pragma once

#include "kit/accounts/account_types.hpp"
#include "stores/sql/database.hpp"

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

// Call it within a transaction. An event that is older than the row, or that the row has already, changes
// nothing: so events may come twice.
void write_account_events(sql::Session& session, std::span<AccountEvent const> events);

// Up to `limit` rows by id, after the id `after`.
std::vector<AccountRow> list_account_rows(sql::Session& session, std::string const& after, int limit);
// Up to `limit` accounts that are not deleted, by name. Only those whose folded name begins with `prefix`.
std::vector<AccountRow> list_accounts_by_name(sql::Session& session, std::string const& prefix, int limit);
// The one with the highest id among those that are not deleted.
std::optional<Account> find_newest_account(sql::Session& session);
std::optional<AccountRow> find_account_row(sql::Session& session, UserId const& id);

}  // namespace larder::accounts
