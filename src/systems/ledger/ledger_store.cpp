#include "systems/ledger/ledger_store.hpp"

#include "base/number.hpp"
#include "base/when_all.hpp"
#include "kit/events/projector.hpp"
#include "larder_ledger_scripts.hpp"
#include "systems/ledger/ledger_rules.hpp"
#include "systems/ledger/script_call.hpp"

#include <fmt/format.h>

#include <map>

namespace larder::ledger {

namespace {

redis::Script const post_entry_script{lua::post_entry};
redis::Script const post_entries_script{lua::post_entries};

constexpr std::int64_t look_up_every_ms = 1000;
constexpr auto look_up_pause = std::chrono::milliseconds(2);

std::string_view view(fmt::format_int const& number) { return {number.data(), number.size()}; }

// Why an entry cannot be decided now.
std::optional<Error> check_now(Entry const& entry, ScoreType const& type, TimeMs now) {
  if (auto problem = check_active(type, now)) return problem;
  return check_time_left(entry.expires_at, now);
}

}  // namespace

Ledger::Ledger(redis::Redis& redis, Shared& shared)
    : redis_(redis), shared_(shared), metrics_(shared.metrics) {}

Task<Result<ScoreType>> Ledger::create_type(ScoreType type) {
  type.created_at = shared_.clock.now();
  auto created = co_await shared_.journal.create_type(std::move(type));
  if (created) shared_.types.put(*created);
  co_return created;
}

Task<Result<ScoreType>> Ledger::change_type(TypeId id, TypeChange change) {
  auto changed = co_await shared_.journal.change_type(id, std::move(change));
  if (changed) shared_.types.put(*changed);
  co_return changed;
}

Task<std::vector<ScoreType>> Ledger::types() { return shared_.journal.types(); }

Task<Result<Ledger::TypePtr>> Ledger::find_type(TypeId id) {
  if (auto type = shared_.types.find(id)) co_return type;
  co_return co_await look_up_type(id);
}

// For a type that is not in memory: another Larder may have just made it. SQL is asked by one at a time, and
// at most once a second; who comes meanwhile waits for that answer.
Task<Result<Ledger::TypePtr>> Ledger::look_up_type(TypeId id) {
  while (looking_up_) {
    Timer pause(co_await asio::this_coro::executor);
    pause.expires_after(look_up_pause);
    co_await pause.async_wait(use_task);
  }
  auto type = shared_.types.find(id);
  auto const now = shared_.clock.now();
  if (!type && (now < looked_up_at_ || now - looked_up_at_ >= look_up_every_ms)) {
    looking_up_ = true;
    std::exception_ptr failure;
    try {
      co_await shared_.types.refresh(shared_.journal);
      looked_up_at_ = now;
    } catch (...) {
      failure = std::current_exception();
    }
    looking_up_ = false;
    if (failure) std::rethrow_exception(failure);
    type = shared_.types.find(id);
  }
  if (!type) co_return refuse(errors::type_not_found, fmt::format("there is no type {}", id));
  co_return type;
}

// Of an account or an order that exists.
Task<Ledger::TypePtr> Ledger::known_type(TypeId id) {
  auto type = co_await find_type(id);
  if (!type) throw std::runtime_error(fmt::format("points of a type that does not exist: {}", id));
  co_return std::move(*type);
}

Task<Result<ScoreType>> Ledger::type(TypeId id) {
  auto const type = co_await find_type(id);
  if (!type) co_return std::unexpected(type.error());
  co_return **type;
}

Task<Result<OrderId>> Ledger::issue_order(TypeId id) {
  auto const type = co_await find_type(id);
  if (!type) co_return std::unexpected(type.error());
  auto const shard = id * shards_per_type + std::int64_t(random_.below(std::uint64_t(shared_.order_shards)));
  auto const key = Keys::counter(id, shard);
  // Repeating it only skips a number.
  auto const reply = co_await redis_.command(redis::Use::idempotent_write, key, {"INCR", key});
  co_return OrderId::from(fmt::format("{}:{}", reply.integer(), shard)).value();
}

Task<Result<Outcome>> Ledger::order(UserId uid, OrderId order_id) {
  auto const key = shared_.keys.order(uid, order_id);
  auto const reply = co_await redis_.command(redis::Use::read, key, {"GET", key});
  if (reply.is_nil()) {
    co_return refuse(errors::order_not_found, fmt::format("no order {} is remembered", order_id.str()));
  }
  co_return parse_outcome(reply.text());
}

Task<redis::Reply> Ledger::run(redis::Script const& script, ScriptCall const& call, OrderId const& order_id) {
  try {
    auto const keys = call.keys();
    auto const args = call.args();
    co_return co_await redis_.run(redis::Use::idempotent_write, script, keys, args);
  } catch (StoreError const& error) {
    throw StoreError(fmt::format("order {}: {}", order_id.str(), error.what()), error.outcome_unknown());
  }
}

void Ledger::add_account(ScriptCall& call, Account const& account, ScoreType const& type) const {
  auto const& shard = shared_.keys.shards()[shared_.keys.shard_of(account.uid)];
  auto keys = shared_.keys.account(account);
  call.key(shard.schedule);
  call.key(shard.open_holds);
  call.key(std::move(keys.balance));
  call.key(std::move(keys.more));
  call.key(std::move(keys.expiring));
  call.key(std::move(keys.due));
  call.arg(account.uid.str());
  call.arg(account.type);
  call.arg(account.domain.str());
  call.arg(type.ends_at.value_or(TimeMs{}));
}

// Something was written for this user.
void Ledger::after(UserId const& uid, std::string_view next_due) {
  auto const shard = shared_.keys.shard_of(uid);
  shared_.wake_projector(shard);
  if (auto const due = parse_int(next_due)) shared_.wake_schedule(shard, {*due});
}

// A replayed order answers as it did the first time, or not at all if it was used for something else.
Result<Receipt> Ledger::receipt(Terms const& terms, OrderId const& order_id, redis::Reply const& reply,
                                redis::ReplyView replayed, redis::ReplyView record, TimeMs now) {
  auto outcome = parse_outcome(record.text());
  if (replayed.integer() == 0) {
    metrics_.decided(outcome);
    return Receipt{.outcome = std::move(outcome), .replayed = false};
  }
  auto const fields = conflicting_fields(terms, outcome);
  if (fields.empty()) {
    // What our own first attempt did, whose answer was lost on the way, is no replay.
    bool const own = reply.repeated() && outcome.at == now;
    return Receipt{.outcome = std::move(outcome), .replayed = !own};
  }
  Error error{.code = errors::order_conflict,
              .detail = fmt::format("order {} was first used with another {}", order_id.str(),
                                    fmt::join(fields, ", "))};
  error.more["fields"] = boost::json::array(fields.begin(), fields.end());
  return std::unexpected(std::move(error));
}

Task<Result<Receipt>> Ledger::post(Entry entry) {
  Stopwatch const watch;
  auto const type = co_await find_type(entry.account.type);
  if (!type) co_return std::unexpected(type.error());
  if (auto problem = check_entry(entry)) co_return std::unexpected(std::move(*problem));
  auto const now = shared_.clock.now();
  // A retry of an entry that came in time gets its answer even after the type's end.
  auto problem = check_now(entry, **type, now);
  bool has_more = entry.makes_lot();
  if (!has_more) {
    auto result = co_await post_plain(entry, **type, problem, now, has_more);
    if (!has_more) {
      metrics_.took(entry.op, watch.seconds());
      co_return result;
    }
  }
  auto const reply = co_await post_entries({&entry, 1}, {&*type, 1}, {!problem}, now);
  after(entry.account.uid, reply.at(0).text());
  metrics_.took(entry.op, watch.seconds());
  auto const answer = reply.at(1);
  if (answer.size() == 0) co_return std::unexpected(std::move(*problem));
  co_return receipt(terms_of(entry), entry.order_id, reply, answer.at(0), answer.at(1), now);
}

// The short way, for an account that is nothing but its balance.
Task<Result<Receipt>> Ledger::post_plain(Entry const& entry, ScoreType const& type,
                                         std::optional<Error> const& problem, TimeMs now, bool& has_more) {
  auto const& shard = shared_.keys.shards()[shared_.keys.shard_of(entry.account.uid)];
  auto const balance_key = shared_.keys.balance(entry.account);
  auto const order_key = shared_.keys.order(entry.account.uid, entry.order_id);
  auto const more_key = Keys::more(balance_key);
  std::array<std::string_view, 4> const keys{shard.outbox, balance_key, order_key, more_key};
  auto const amount = fmt::format_int(entry.amount.value());
  auto const type_id = fmt::format_int(type.id);
  auto const order_ttl_ms = fmt::format_int(type.order_ttl_days * day_ms);
  auto const expires_at = fmt::format_int(type.ends_at.value_or(TimeMs{}).value);
  auto const now_ms = fmt::format_int(now.value);
  std::array<std::string_view, 11> const args{
      name_of(entry.op),  view(amount),     view(type_id),           entry.account.domain.str(),
      view(order_ttl_ms), view(expires_at), entry.account.uid.str(), entry.order_id.str(),
      entry.remark,       view(now_ms),     problem ? "0" : "1"};
  redis::Reply reply;
  try {
    reply = co_await redis_.run(redis::Use::idempotent_write, post_entry_script, keys, args);
  } catch (StoreError const& error) {
    throw StoreError(fmt::format("order {}: {}", entry.order_id.str(), error.what()),
                     error.outcome_unknown());
  }
  if (reply.size() == 0) co_return std::unexpected(*problem);
  has_more = reply.at(0).integer() == 2;
  if (has_more) co_return Receipt{};
  after(entry.account.uid, "");
  co_return receipt(terms_of(entry), entry.order_id, reply, reply.at(0), reply.at(1), now);
}

Task<redis::Reply> Ledger::post_entries(std::span<Entry const> entries, std::span<TypePtr const> types,
                                        std::vector<bool> const& may_decide, TimeMs now) {
  std::map<std::string, std::int64_t> numbers;  // of accounts, from 1, by their key
  std::vector<std::size_t> firsts;              // the first entry of each
  std::vector<std::int64_t> number_of;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto const [at, fresh] =
        numbers.emplace(shared_.keys.balance(entries[i].account), std::int64_t(numbers.size()) + 1);
    if (fresh) firsts.push_back(i);
    number_of.push_back(at->second);
  }
  ScriptCall call;
  call.arg(std::int64_t(firsts.size()));
  call.arg(std::int64_t(entries.size()));
  for (auto const i : firsts) {
    call.key(shared_.keys.shards()[shared_.keys.shard_of(entries[i].account.uid)].outbox);
  }
  for (auto const i : firsts) add_account(call, entries[i].account, *types[i]);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto const& entry = entries[i];
    call.key(shared_.keys.order(entry.account.uid, entry.order_id));
    call.arg(number_of[i]);
    call.arg(std::string(name_of(entry.op)));
    call.arg(entry.amount.value());
    call.arg(terms_of(entry).detail());
    call.arg(entry.effective_at.value_or(TimeMs{}));
    call.arg(entry.expires_at.value_or(TimeMs{}));
    call.arg(entry.order_id.str());
    call.arg(entry.remark);
    call.arg(types[i]->order_ttl_days * day_ms);
    call.arg(bool(may_decide[i]));
  }
  call.arg(now);
  co_return co_await run(post_entries_script, call, entries[0].order_id);
}

Task<std::vector<Result<Receipt>>> Ledger::post_each(std::vector<Entry> entries) {
  std::vector<Task<Result<Receipt>>> posts;
  posts.reserve(entries.size());
  for (auto& entry : entries) posts.push_back(post(std::move(entry)));
  co_return co_await when_all(std::move(posts));
}

Task<Result<std::vector<Receipt>>> Ledger::post_all(std::vector<Entry> entries) {
  LARDER_ASSERT(!entries.empty());
  auto const refused = [&](std::size_t index, Error const& why) {
    Error error{.code = errors::batch_refused,
                .detail = fmt::format("entry {} of the batch: {}; nothing was done", index, why.detail)};
    error.more = {{"index", index}, {"order_id", entries[index].order_id.str()}, {"reason", why.code.name}};
    return std::unexpected(std::move(error));
  };
  auto const now = shared_.clock.now();
  std::vector<TypePtr> types;
  std::vector<bool> may_decide;
  std::vector<std::optional<Error>> problems;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto const type = co_await find_type(entries[i].account.type);
    if (!type) co_return refused(i, type.error());
    if (auto const problem = check_entry(entries[i])) co_return refused(i, *problem);
    if (!shared_.keys.same_slot(entries[0].account.uid, entries[i].account.uid)) {
      co_return refuse(
          errors::not_one_slot,
          fmt::format("an atomic batch must stay in one bucket of users: {} and {} are in different ones",
                      entries[0].account.uid.str(), entries[i].account.uid.str()));
    }
    types.push_back(*type);
    problems.push_back(check_now(entries[i], **type, now));
    may_decide.push_back(!problems.back());
  }
  auto const reply = co_await post_entries(entries, types, may_decide, now);
  if (entries.size() > 1 && !reply.at(1).is_array()) {
    auto const index = std::size_t(reply.at(1).integer()) - 1;
    auto const why = reply.at(2).text();
    if (why == "may_not_decide") co_return refused(index, *problems[index]);
    co_return refused(index, refusal_of(why));
  }
  for (auto const& entry : entries) after(entry.account.uid, reply.at(0).text());
  std::vector<Receipt> receipts;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto const answer = reply.at(i + 1);
    if (answer.size() == 0) co_return refused(i, *problems[i]);
    auto made = receipt(terms_of(entries[i]), entries[i].order_id, reply, answer.at(0), answer.at(1), now);
    if (!made) co_return refused(i, made.error());
    if (made->outcome.status != Status::ok) co_return refused(i, refusal_of(name_of(made->outcome.status)));
    receipts.push_back(std::move(*made));
  }
  co_return receipts;
}

}  // namespace larder::ledger
