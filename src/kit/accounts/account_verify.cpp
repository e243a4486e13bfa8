#include "base/json.hpp"
#include "kit/accounts/account_rebuild.hpp"
#include "kit/accounts/account_table.hpp"
#include "kit/accounts/player_ids.hpp"
#include "kit/accounts/player_names.hpp"

#include <set>

namespace larder::accounts {

namespace {

class Verify {
 public:
  Verify(redis::Redis& redis, sql::Database& sql, VerifyOptions options)
      : redis_(redis), sql_(sql), store_(redis), options_(std::move(options)) {}

  Task<VerifyReport> run() {
    co_await compare_events();
    std::set<UserId> suspects;
    co_await for_each_portion(sql_, [&](std::vector<AccountRow> const& rows) -> Task<void> {
      for (auto const& row : rows) {
        if (!(co_await difference_of(row)).empty()) suspects.insert(row.account.id);
        ++report_.accounts;
      }
      if (options_.progress) options_.progress(report_);
    });
    co_await add_unknown(suspects);
    auto const names = co_await foreign_names();
    if ((!suspects.empty() || !names.empty()) && options_.settle) co_await options_.settle();
    for (auto const& id : suspects) {
      auto const row = co_await row_of(id);
      auto const difference = co_await difference_of(row.value_or(AccountRow{.account = {.id = id}}));
      if (!difference.empty()) differ(fmt::format("account {}: {}", id.str(), difference));
    }
    for (auto const& name : names) {
      auto const difference = co_await difference_of_name(name);
      if (!difference.empty()) differ(fmt::format("name {}: {}", name, difference));
    }
    co_return report_;
  }

 private:
  Task<std::optional<AccountRow>> row_of(UserId id) {
    return sql_.read([id = std::move(id)](sql::Session& session) { return find_account_row(session, id); });
  }

  Task<void> compare_events() {
    auto const newest = co_await sql_.read(find_newest_event);
    auto const last = co_await redis::last_stream_id(redis_, AccountKeys::outbox());
    if (last < newest)
      differ(fmt::format("SQL has events of accounts up to {}, Redis has none behind {}", newest.str(),
                         last.str()));
  }

  void differ(std::string const& what) {
    ++report_.differences;
    if (options_.difference) options_.difference(what);
  }

  // The names in Redis that do not lead to an account with this name.
  Task<std::set<std::string>> foreign_names() {
    std::set<std::string> names;
    auto const& keys = store_.keys();
    co_await redis_.scan(keys.username_pattern(), [&](std::vector<std::string> found) -> Task<void> {
      for (auto const& key : found) {
        std::string const name(keys.name_in(key));
        if (!(co_await difference_of_name(name)).empty()) names.insert(name);
      }
    });
    co_return names;
  }

  Task<std::string> difference_of_name(std::string name) {
    if (!is_utf8(name)) co_return "it is not UTF-8";
    auto const owner = co_await store_.find_by_name(name);
    if (!owner) co_return co_await store_.is_taken(name) ? "it leads to no account" : "";
    if (fold_name(owner->username) != name)
      co_return fmt::format("it leads to account {}, which has another name", owner->id.str());
    co_return "";
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
    if (found->id != account.id) co_return "Redis has another id in it";
    if (found->username != account.username) co_return "its name differs";
    if (found->hashed_password != account.hashed_password) co_return "its password differs";
    if (found->disabled != account.disabled) co_return "only one store says that it is disabled";
    if (found->generation < account.generation) {
      co_return fmt::format("Redis has generation {}, SQL has {}: this Redis is older than SQL",
                            found->generation, account.generation);
    }
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

Task<VerifyReport> verify(redis::Redis& redis, sql::Database& sql, VerifyOptions options) {
  Verify work(redis, sql, std::move(options));
  co_return co_await work.run();
}

}  // namespace larder::accounts
