// See ledger_privacy.hpp. The steps, each of which finds out what is left to do:
//
//   1 the waiting events of the user reach SQL
//   2 one script for each account: it belongs to the pseudonym from then on, and a flow says so
//   3 that flow reaches SQL
//   4 earlier flows of the account are moved to the pseudonym, then the keys of its orders
//   5 the rest of the journal: flows and orders of others that name the user
//   6 events that were set aside
#include "base/hash.hpp"
#include "kit/events/privacy/mentions.hpp"
#include "kit/events/privacy/traces.hpp"
#include "systems/ledger/forgotten_flows.hpp"
#include "systems/ledger/ledger_outbox.hpp"
#include "systems/ledger/ledger_privacy.hpp"
#include "systems/ledger/ledger_scripts.hpp"
#include "systems/ledger/order_record.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

constexpr int journal_page = 5000;

// Replaces names of the user in a text of words, such as a record or a detail.
class Rewriter {
 public:
  explicit Rewriter(privacy::Subject subject) : subject_(std::move(subject)) {}

  bool is_party(Outcome const& outcome) const {
    return outcome.word("to") == subject_.user.str() || outcome.word("from") == subject_.user.str();
  }

  std::string words(std::string_view text) const {
    std::string out;
    for (std::size_t begin = 0; begin <= text.size();) {
      auto const end = std::min(text.find(' ', begin), text.size());
      if (begin > 0) out += ' ';
      out += word(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return out;
  }

  // An order id that contains the id of the user contains the pseudonym instead, if that fits.
  std::string order(std::string const& id) const {
    auto changed = id;
    if (!privacy::is_telling(subject_.user)) return id;
    if (!privacy::replace_name(changed, subject_.user.str(), subject_.pseudonym.str())) return id;
    if (changed.size() <= limits::order_id_chars_max && OrderId::from(changed)) return changed;
    return fmt::format("forgotten:{}", key_hash(subject_.pseudonym.str() + id));
  }

  // The remark of a flow that names the user.
  bool is_named_in(std::string const& remark) const {
    return privacy::is_telling(subject_.user) && privacy::names(remark, subject_.user.str());
  }

  privacy::Subject const& subject() const { return subject_; }

 private:
  std::string word(std::string_view word) const {
    auto const equals = word.find('=');
    if (equals == std::string_view::npos) return std::string(word);
    auto const name = word.substr(0, equals);
    std::string value(word.substr(equals + 1));
    if ((name == "to" || name == "from") && value == subject_.user.str()) value = subject_.pseudonym.str();
    if (name == "return_of" || name == "returned_by") value = order(value);
    return fmt::format("{}={}", name, value);
  }

  privacy::Subject subject_;
};

class Forgetting {
 public:
  Forgetting(PrivacyStores const& stores, privacy::Subject const& subject)
      : redis_(stores.redis),
        journal_(stores.journal),
        keys_(stores.keys),
        clock_(stores.clock),
        user_(subject.user),
        pseudonym_(subject.pseudonym),
        rewriter_(subject) {}

  Task<void> run() {
    auto const& shard = keys_.shards()[keys_.shard_of(user_)];
    co_await privacy::journal_all(redis_, shard.outbox);
    co_await take_accounts();
    co_await privacy::journal_all(redis_, shard.outbox);
    forgotten_ = co_await forgotten_accounts(journal_, pseudonym_);
    for (auto const& name : awaited_) {
      if (!forgotten_.contains(name)) throw StoreError("SQL lacks the flow of a forgotten account", false);
    }
    for (auto const& [account, until] : forgotten_)
      co_await move_flows(journal_, user_, pseudonym_, account, until);
    co_await move_orders();
    // Flows of others that name the user must not come after their table was rewritten.
    for (auto const& outbox : keys_.outboxes()) co_await privacy::journal_all(redis_, outbox);
    for (std::int64_t table = 0; table < journal_.flow_tables(); ++table) co_await rewrite_table(table);
    for (auto const& outbox : keys_.outboxes()) {
      co_await privacy::rewrite_set_aside(redis_, outbox,
                                          [this](events::Event& event) { return rewrite_event(event); });
    }
  }

 private:
  Task<void> take_accounts() {
    std::set<std::pair<TypeId, Domain>> accounts;
    for (auto const& account : co_await accounts_with_flows(journal_, user_))
      accounts.emplace(account.type, account.domain);
    co_await redis_.scan("*:score*", [&](std::vector<std::string> found) -> Task<void> {
      for (auto const& key : found) {
        auto const account = keys_.account_of(key);
        if (account && account->uid == user_) accounts.emplace(account->type, account->domain);
      }
      co_return;
    });
    auto const taken = co_await forgotten_accounts(journal_, pseudonym_);
    for (auto const& name : accounts) {
      if (taken.contains(name)) continue;
      awaited_.insert(name);
      Account const account{.type = name.first, .domain = name.second, .uid = user_};
      auto const taken_over =
          co_await scripts::run(redis_, redis::Use::idempotent_write,
                                scripts::forget_account(keys_, account, pseudonym_, clock_.now()));
      // Only between two slots of a cluster.
      if (taken_over.integer() == 2) throw StoreError("a transfer of the user is under way", false);
    }
  }

  Task<void> move_orders() {
    if (forgotten_.empty()) co_return;
    auto const moved = co_await orders_with_flows(journal_, pseudonym_);
    auto const fresh = co_await orders_with_flows(journal_, user_);
    co_await redis_.scan("*:score_os", [&](std::vector<std::string> found) -> Task<void> {
      for (auto const& key : found) {
        auto const order = keys_.order_of(key);
        if (!order || order->uid != user_ || fresh.contains(order->order.str())) continue;
        if (!moved.contains(order->order.str()) && !co_await is_older(key)) continue;
        co_await privacy::move_key(redis_, key,
                                   order->from ? keys_.arrival(pseudonym_, *order->from, order->order)
                                               : keys_.order(pseudonym_, order->order));
      }
    });
  }

  // Whether an order without a flow was decided before the user was forgotten: the original service did so.
  Task<bool> is_older(std::string key) {
    auto const reply = co_await redis_.command(redis::Use::read, key, {"GET", key});
    auto const record = reply.optional_text();
    if (!record || !is_record(*record)) co_return true;
    co_return parse_record(*record).at < newest_at();
  }

  // When the last account was forgotten.
  TimeMs newest_at() const {
    TimeMs newest;
    for (auto const& [account, until] : forgotten_) newest = std::max(newest, until.at);
    return newest;
  }

  // The same, by the clock of Redis.
  std::int64_t newest_ms() const {
    std::int64_t newest = 0;
    for (auto const& [account, until] : forgotten_) newest = std::max(newest, until.id.ms);
    return newest;
  }

  Task<void> rewrite_table(std::int64_t table) {
    std::optional<UserFlow> last;
    for (;;) {
      auto const page = co_await journal_.page(table, last, journal_page);
      if (page.empty()) co_return;
      for (auto const& each : page) co_await rewrite_if_named(each);
      last = page.back();
    }
  }

  Task<void> rewrite_if_named(UserFlow flow) {
    auto const& outcome = flow.flow.outcome;
    if (flow.uid == user_ || (!forgotten_.empty() && flow.flow.id.ms > newest_ms())) co_return;
    bool const is_party = rewriter_.is_party(outcome);
    auto const& remark = flow.flow.remark;
    RewrittenFlow rewritten{.order_id = rewriter_.order(flow.flow.order_id.str()),
                            .detail = rewriter_.words(outcome.detail),
                            .remark = is_party || rewriter_.is_named_in(remark) ? "" : remark};
    if (rewritten.order_id == flow.flow.order_id.str() && rewritten.detail == outcome.detail &&
        rewritten.remark == remark)
      co_return;
    // SQL last: its flow says what is left to do.
    co_await rewrite_order(flow, OrderId::from(rewritten.order_id).value());
    co_await rewrite_flow(journal_, std::move(flow), std::move(rewritten));
  }

  Task<void> rewrite_order(UserFlow const& flow, OrderId const& order) {
    auto const& before = flow.flow.order_id;
    co_await rewrite_record(keys_.order(flow.uid, before));
    if (auto const from = UserId::from(flow.flow.outcome.word("from"))) {
      auto const arrival = keys_.arrival(flow.uid, *from, before);
      co_await rewrite_record(arrival);
      co_await privacy::move_key(redis_, arrival,
                                 keys_.arrival(flow.uid, *from == user_ ? pseudonym_ : *from, order));
    }
    if (order == before) co_return;
    Account const account{
        .type = flow.flow.outcome.type, .domain = flow.flow.outcome.domain, .uid = flow.uid};
    co_await redis_.run(redis::Use::idempotent_write, scripts::rename_order(keys_, account, before, order));
  }

  Task<void> rewrite_record(std::string key) {
    auto const reply = co_await redis_.command(redis::Use::read, key, {"GET", key});
    auto const record = reply.optional_text();
    if (!record || !is_record(*record)) co_return;
    auto const outcome = parse_record(*record);
    if (outcome.word("state") == "pending" && rewriter_.is_party(outcome))
      throw StoreError("a transfer to the user is under way", false);
    auto changed = rewriter_.words(*record);
    if (changed != *record) co_await privacy::replace_text(redis_, key, *record, std::move(changed));
  }

  bool rewrite_event(events::Event& event) const {
    bool changed = false;
    for (auto& [name, value] : event.fields) {
      auto after = name == "more" ? rewriter_.words(value) : name == "entry" ? rewrite_entry(value) : value;
      if (after == value) continue;
      value = std::move(after);
      changed = true;
    }
    return changed;
  }

  std::string rewrite_entry(std::string const& text) const {
    try {
      auto const [outcome, uid, order, remark] = parse_entry(text);
      bool const own = uid == user_;
      auto const new_order = rewriter_.order(std::string(order));
      return fmt::format("{} {} {} {}", to_record(outcome), own ? pseudonym_.str() : uid.str(), new_order,
                         own || rewriter_.is_named_in(std::string(remark)) ? "" : remark);
    } catch (std::exception const&) {
      auto changed = text;  // whatever it is, it must not name the user
      privacy::replace_name(changed, user_.str(), pseudonym_.str());
      return changed;
    }
  }

  redis::Redis& redis_;
  Journal& journal_;
  Keys const& keys_;
  Clock const& clock_;
  UserId user_;
  UserId pseudonym_;
  Rewriter rewriter_;
  std::set<std::pair<TypeId, Domain>> awaited_;  // accounts that the script has just taken
  ForgottenAccounts forgotten_;
};

}  // namespace

Task<void> forget_user(PrivacyStores stores, privacy::Subject subject) {
  Forgetting forgetting(stores, subject);
  co_await forgetting.run();
}

}  // namespace larder::ledger
