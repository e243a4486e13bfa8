#include "systems/ledger/account_reader.hpp"

#include "stores/redis/reply_reader.hpp"
#include "systems/ledger/ledger_scripts.hpp"

namespace larder::ledger {

Task<StoredAccount> read_account(redis::Redis& redis, Keys const& keys, Account const& account) {
  auto const reply = co_await scripts::run(redis, redis::Use::read, scripts::read_account(keys, account));
  redis::ReplyReader in(reply);
  auto const balance = in.optional_integer().value_or(0);
  auto const next_due = in.optional_time();
  auto const revision = in.optional_integer().value_or(0);
  std::vector<std::pair<std::string, std::string>> fields;
  for (auto more = in.array(); !more.at_end();) {
    auto const name = more.text();
    fields.emplace_back(name, more.text());
  }
  in.end();
  co_return StoredAccount{
      .state = parse_more(balance, fields), .next_due = next_due, .ends_revision = revision};
}

}  // namespace larder::ledger
