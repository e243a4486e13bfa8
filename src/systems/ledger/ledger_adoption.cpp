#include "systems/ledger/ledger_adoption.hpp"

#include "base/error.hpp"
#include "base/when_all.hpp"
#include "kit/events/projector.hpp"
#include "kit/presence/presence.hpp"
#include "stores/redis/reply_reader.hpp"
#include "systems/ledger/account_reader.hpp"
#include "systems/ledger/ledger_outbox.hpp"
#include "systems/ledger/ledger_scripts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <map>
#include <set>

namespace larder::ledger {

namespace {

constexpr int waiting_at_once = 1000;

class Adopter {
 public:
  Adopter(redis::Redis& redis, Journal& journal, Keys const& keys, Clock const& clock, AdoptOptions options)
      : redis_(redis), journal_(journal), keys_(keys), clock_(clock), options_(std::move(options)) {}

  Task<AdoptReport> run() {
    if (auto const names = co_await presence::servers(redis_); !names.empty()) {
      throw SetupError(fmt::format("stop the servers first: {} works on this Redis", fmt::join(names, "; ")));
    }
    if (co_await presence::is_closed(redis_)) {
      throw SetupError("a rebuild of this Redis was cut off; complete the rebuild first");
    }
    for (auto& type : co_await journal_.types()) types_[type.id] = type;
    for (auto const& shard : keys_.shards()) co_await read_waiting(shard.outbox);
    co_await redis_.scan("*:score",
                         [this](std::vector<std::string> found) { return take_in(std::move(found)); });
    co_return report_;
  }

 private:
  // Flows that no server has journaled yet, such as those of an adoption that was cut off.
  Task<void> read_waiting(std::string const& outbox) {
    for (std::string first = "-";;) {
      auto const events = co_await events::read_events(redis_, outbox, first, "+", waiting_at_once);
      if (events.empty()) co_return;
      for (auto const& event : events) {
        auto const [uid, flow] = flow_of(event);
        waiting_.insert(
            keys_.balance({.type = flow.outcome.type, .domain = flow.outcome.domain, .uid = uid}));
      }
      first = events::next_id(events.back().id);
    }
  }

  Task<void> take_in(std::vector<std::string> found) {
    std::vector<Account> accounts;
    for (auto const& key : found) {
      if (!seen_.insert(key).second) continue;  // a scan may give a key twice
      if (auto account = keys_.account_of(key)) {
        accounts.push_back(std::move(*account));
      } else {
        refuse(key, "no account can have this key");
      }
    }
    auto const known = co_await journal_.has_accounts(accounts);
    std::vector<Task<bool>> tasks;
    for (std::size_t i = 0; i < accounts.size(); ++i) {
      if (known[i] || waiting_.contains(keys_.balance(accounts[i]))) {
        ++report_.known;
      } else {
        tasks.push_back(take_in(std::move(accounts[i])));
      }
    }
    co_await when_all(std::move(tasks));
    options_.progress(report_);
  }

  Task<bool> take_in(Account account) {
    auto const key = keys_.balance(account);
    auto const type = types_.find(account.type);
    if (type == types_.end()) {
      refuse(key, fmt::format("there is no type {}; create it first", account.type));
      co_return false;
    }
    try {
      note(options_.dry_run ? (co_await read_account(redis_, keys_, account)).state.balance
                            : co_await adopt(account, type->second));
    } catch (ForeignRecord const& error) {
      refuse(error.key(), "it is not a whole number from 0 to 9007199254740991");
    }
    co_return true;
  }

  // Returns nothing if another run has taken the balance in.
  Task<std::optional<std::int64_t>> adopt(Account const& account, ScoreType const& type) {
    auto const order =
        OrderId::from(fmt::format("opening:{}:{}", account.type, account.domain.str())).value();
    auto const reply =
        co_await scripts::run(redis_, redis::Use::idempotent_write,
                              scripts::adopt_account(keys_, account, type, order, clock_.now()));
    redis::ReplyReader in(reply);
    // If the answer to a first attempt was lost, that attempt has taken the balance in.
    if (!in.flag()) co_return std::nullopt;
    co_return in.integer();
  }

  void note(std::optional<std::int64_t> balance) {
    ++(balance ? report_.adopted : report_.known);
    // Each balance fits into a number, but their sum may not.
    report_.points +=
        std::min(balance.value_or(0), std::numeric_limits<std::int64_t>::max() - report_.points);
  }
  void refuse(std::string const& key, std::string_view why) {
    ++report_.refused;
    options_.refused(fmt::format("{}: {}", key, why));
  }

  redis::Redis& redis_;
  Journal& journal_;
  Keys const& keys_;
  Clock const& clock_;
  AdoptOptions options_;
  std::map<TypeId, ScoreType> types_;
  std::set<std::string> waiting_;  // keys of balances whose flows are in an outbox
  std::set<std::string> seen_;
  AdoptReport report_;
};

}  // namespace

Task<AdoptReport> adopt(redis::Redis& redis, Journal& journal, Keys const& keys, Clock const& clock,
                        AdoptOptions options) {
  Adopter adopter(redis, journal, keys, clock, std::move(options));
  co_return co_await adopter.run();
}

}  // namespace larder::ledger
