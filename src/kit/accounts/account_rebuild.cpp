#include "kit/accounts/account_rebuild.hpp"

#include "base/when_all.hpp"
#include "kit/accounts/account_table.hpp"
#include "kit/accounts/accounts_scripts.hpp"
#include "kit/accounts/player_ids.hpp"
#include "kit/accounts/player_names.hpp"
#include "kit/accounts/session_keys.hpp"
#include "stores/redis/reply_reader.hpp"

#include <set>

namespace larder::accounts {

namespace {

constexpr int rows_at_once = 200;

// Calls `each` with portions of all rows of the table.
template <class Each>
Task<void> for_each_portion(sql::Database& sql, Each each) {
  for (std::string after;;) {
    auto const rows = co_await sql.read(
        [after](sql::Session& session) { return list_account_rows(session, after, rows_at_once); });
    if (rows.empty()) co_return;
    after = rows.back().account.id.str();
    co_await each(rows);
  }
}

class Rebuild {
 public:
  Rebuild(redis::Redis& redis, RebuildOptions options) : redis_(redis), options_(std::move(options)) {}

  Task<void> restore(std::vector<AccountRow> const& rows, TimeMs now) {
    std::vector<Account> accounts;
    std::vector<std::string> deletions{"ZADD", AccountKeys::deletions()};
    for (auto const& row : rows) {
      if (row.deleted_at) {
        deletions.push_back(fmt::to_string(now.value));
        deletions.push_back(row.account.id.str());
        ++report.deletions;
      } else {
        accounts.push_back(row.account);
        ++accounts.back().generation;  // sessions end; SQL does not know every end, so the keys change, too
      }
    }
    if (!accounts.empty()) co_await restore_accounts(accounts);
    if (deletions.size() > 2) {
      std::vector<std::string_view> const words(deletions.begin(), deletions.end());
      co_await redis_.command(redis::Use::idempotent_write, deletions[1], words);
    }
    if (options_.progress) options_.progress(report);
  }

  RebuildReport report;

 private:
  Task<void> restore_accounts(std::vector<Account> const& accounts) {
    auto const reply =
        co_await redis_.run(redis::Use::idempotent_write, scripts::restore_accounts(keys_, accounts));
    redis::ReplyReader in(reply);
    for (auto const& account : accounts) {
      auto const outcome = in.integer();
      if (outcome == 1) ++report.accounts;
      if (outcome >= 0) continue;
      ++report.problems;
      if (options_.problem) {
        options_.problem(fmt::format("account {} is not restored: another account has the name {}",
                                     account.id.str(), account.username));
      }
    }
    in.end();
  }

  redis::Redis& redis_;
  AccountKeys keys_{redis_.is_cluster()};
  RebuildOptions options_;
};

class Verify {
 public:
  Verify(redis::Redis& redis, sql::Database& sql, VerifyOptions options)
      : redis_(redis), sql_(sql), store_(redis), options_(std::move(options)) {}

  Task<VerifyReport> run() {
    std::set<UserId> suspects;
    co_await for_each_portion(sql_, [&](std::vector<AccountRow> const& rows) -> Task<void> {
      for (auto const& row : rows) {
        if (!(co_await difference_of(row)).empty()) suspects.insert(row.account.id);
        ++report_.accounts;
      }
      if (options_.progress) options_.progress(report_);
    });
    co_await add_unknown(suspects);
    if (!suspects.empty() && options_.settle) co_await options_.settle();
    for (auto const& id : suspects) {
      auto const row = co_await row_of(id);
      auto const difference = co_await difference_of(row.value_or(AccountRow{.account = {.id = id}}));
      if (difference.empty()) continue;
      ++report_.differences;
      if (options_.difference) options_.difference(fmt::format("account {}: {}", id.str(), difference));
    }
    co_return report_;
  }

 private:
  Task<std::optional<AccountRow>> row_of(UserId id) {
    return sql_.read([id = std::move(id)](sql::Session& session) { return find_account_row(session, id); });
  }

  // Adds the accounts of Redis that SQL does not know.
  Task<void> add_unknown(std::set<UserId>& suspects) {
    co_await redis_.scan(store_.keys().user_pattern(), [&](std::vector<std::string> keys) -> Task<void> {
      for (auto const& key : keys) {
        auto const id = UserId::from(store_.keys().id_in(key));
        if (id && is_player_id(id->str()) && !co_await row_of(*id)) suspects.insert(*id);
      }
    });
  }

  // What differs between SQL and Redis; empty: nothing. A row without a name stands for a missing row.
  Task<std::string> difference_of(AccountRow const& row) {
    auto const& account = row.account;
    auto const found = co_await store_.find(account.id);
    if (row.deleted_at) co_return found ? "SQL says that it is deleted, but Redis has it" : "";
    if (account.username.empty()) co_return found ? "Redis has it, but SQL does not" : "";
    if (!found) co_return "SQL has it, but Redis does not";
    if (found->username != account.username) co_return "its name differs";
    if (found->hashed_password != account.hashed_password) co_return "its password differs";
    if (found->disabled != account.disabled) co_return "only one store says that it is disabled";
    if (found->created_at != account.created_at) co_return "the time of its creation differs";
    auto const owner = co_await store_.find_by_name(fold_name(account.username));
    if (!owner || owner->id != account.id) co_return "its name does not lead to it";
    co_return "";
  }

  redis::Redis& redis_;
  sql::Database& sql_;
  AccountStore store_;
  VerifyOptions options_;
  VerifyReport report_;
};

}  // namespace

Task<bool> is_lost(redis::Redis& redis, sql::Database& sql) {
  auto const newest = co_await sql.read(find_newest_account);
  if (!newest) co_return false;
  // An outbox is emptied, but never deleted. A rebuild makes no outbox, and restores the newest account last.
  auto const outbox = AccountKeys::outbox();
  auto const reply = co_await redis.command(redis::Use::read, outbox, {"EXISTS", outbox});
  co_return reply.integer() == 0 && !co_await AccountStore(redis).find(newest->id);
}

Task<RebuildReport> rebuild(redis::Redis& redis, sql::Database& sql, Clock const& clock,
                            RebuildOptions options) {
  Rebuild work(redis, std::move(options));
  auto const now = clock.now();
  // First: no session of before must be valid for the restored accounts.
  co_await sql.write([now](sql::Session& session) { replace_session_keys(session, now); });
  co_await for_each_portion(sql,
                            [&](std::vector<AccountRow> const& rows) { return work.restore(rows, now); });
  co_return work.report;
}

Task<VerifyReport> verify(redis::Redis& redis, sql::Database& sql, VerifyOptions options) {
  Verify work(redis, sql, std::move(options));
  co_return co_await work.run();
}

}  // namespace larder::accounts
