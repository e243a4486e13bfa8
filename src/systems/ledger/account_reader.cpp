#include "systems/ledger/account_reader.hpp"

#include "larder_ledger_scripts.hpp"

namespace larder::ledger {

namespace {

redis::Script const read_account_script{lua::read_account};

}  // namespace

Task<StoredAccount> read_account(redis::Redis& redis, Keys const& keys, Account const& account) {
  auto const of_account = keys.account(account);
  std::array<std::string_view, 4> const script_keys{of_account.balance, of_account.more, of_account.expiring,
                                                    of_account.due};
  auto const reply = co_await redis.run(redis::Use::read, read_account_script, script_keys, {});
  std::vector<std::pair<std::string, std::string>> fields;
  auto const more = reply.at(2);
  for (std::size_t i = 0; i + 1 < more.size(); i += 2)
    fields.emplace_back(more.at(i).text(), more.at(i + 1).text());
  StoredAccount stored{.state = parse_more(reply.at(0).is_nil() ? 0 : reply.at(0).integer(), fields),
                       .next_due = std::nullopt};
  if (!reply.at(1).text().empty()) stored.next_due = TimeMs{reply.at(1).integer()};
  co_return stored;
}

}  // namespace larder::ledger
