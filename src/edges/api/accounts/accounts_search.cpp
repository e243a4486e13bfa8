#include "edges/api/accounts/accounts_search.hpp"

#include "kit/accounts/account_table.hpp"

namespace larder::api {

namespace {

// No route shows an account to an operator: `larder user show` does.
SearchHit hit_of(accounts::Account const& account) {
  return {.kind = "user", .id = account.id.str(), .name = account.username};
}

Task<std::vector<SearchHit>> find_account(sql::Database& sql, std::string text) {
  co_return co_await sql.read([text = std::move(text)](sql::Session& session) {
    std::vector<SearchHit> hits;
    auto const id = UserId::from(text);
    auto const row = id ? accounts::find_account_row(session, *id) : std::nullopt;
    if (row && !row->deleted_at) hits.push_back(hit_of(row->account));
    for (auto const& found : accounts::find_accounts_by_name(session, text, int(limits::search_hits_max)))
      hits.push_back(hit_of(found));
    return hits;
  });
}

}  // namespace

SearchOf accounts_search(sql::Database& sql) {
  return {.system = "accounts",
          .find = [&sql](std::string text) { return find_account(sql, std::move(text)); }};
}

}  // namespace larder::api
