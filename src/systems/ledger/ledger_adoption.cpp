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

#include <exception>
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

  // A server that starts meanwhile could post to a balance before its opening flow, which would then count
  // those points twice. So the Redis is closed, unless nothing is written. After a failure it stays closed if
  // any balance may have been taken in: a server would post to those that are left.
  Task<AdoptReport> run() {
    if (options_.dry_run) co_return co_await take_all_in();
    begun_ = co_await presence::close_for(redis_, "ledger adopt");
    std::exception_ptr failure;
    try {
      co_await take_all_in();
    } catch (...) {
      failure = std::current_exception();
    }
    if (failure && begun_) throw_with_advice(failure);
    co_await presence::open(redis_);
    if (failure) std::rethrow_exception(failure);
    co_return report_;
  }

 private:
  [[noreturn]] static void throw_with_advice(std::exception_ptr const& failure) {
    constexpr std::string_view advice =
        "; servers cannot use this Redis until all balances are taken in: run `larder ledger adopt` again";
    try {
      std::rethrow_exception(failure);
    } catch (StoreError const& error) {
      throw StoreError(fmt::format("{}{}", error.what(), advice), error.outcome_unknown());
    } catch (std::exception const& error) {
      throw std::runtime_error(fmt::format("{}{}", error.what(), advice));
    }
  }

  Task<AdoptReport> take_all_in() {
    // As a server does at its start: perhaps none has ever run on this Redis.
    co_await events::open_outboxes_or_refuse(redis_, journal_.database(), keys_.outboxes());
    for (auto& type : co_await journal_.types()) types_[type.id] = type;
    for (auto const& shard : keys_.shards()) co_await read_waiting(shard.outbox);
    co_await redis_.scan("*:score",
                         [this](std::vector<std::string> found) { return take_in(std::move(found)); });
    co_return report_;
  }

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
    begun_ = true;
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
  bool begun_ = false;  // this run or an earlier one may have taken a balance in
  AdoptReport report_;
};

}  // namespace

Task<AdoptReport> adopt(redis::Redis& redis, Journal& journal, Keys const& keys, Clock const& clock,
                        AdoptOptions options) {
  Adopter adopter(redis, journal, keys, clock, std::move(options));
  co_return co_await adopter.run();
}

}  // namespace larder::ledger
