#include "systems/ledger/ledger_store.hpp"

#include "kit/events/projector.hpp"
#include "larder_ledger_scripts.hpp"
#include "systems/ledger/ledger_rules.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

redis::Script const post_entry{lua::post_entry};

constexpr std::int64_t look_up_every_ms = 1000;
constexpr auto look_up_pause = std::chrono::milliseconds(2);
constexpr auto journal_patience = std::chrono::milliseconds(5000);
// Every type counts its orders in shards of its own, so that a number is unique across types as well.
constexpr std::int64_t shards_per_type = 1000;

// A replayed order answers as it did the first time, or not at all if it was used for something else.
Result<Receipt> replay(Entry const& entry, Outcome const& first) {
  auto const fields = conflicting_fields(entry, first);
  if (fields.empty()) return Receipt{.outcome = first, .replayed = true};
  Error error{.code = errors::order_conflict,
              .detail = fmt::format("order {} was first used with another {}", entry.order_id.str(),
                                    fmt::join(fields, ", "))};
  error.more["fields"] = boost::json::array(fields.begin(), fields.end());
  return std::unexpected(std::move(error));
}

}  // namespace

std::shared_ptr<ScoreType const> TypeCache::find(TypeId id) const {
  std::lock_guard const lock(mutex_);
  auto const found = types_->find(id);
  return found == types_->end() ? nullptr : found->second;
}

Task<void> TypeCache::refresh(Journal& journal) {
  auto fresh = std::make_shared<Types>();
  for (auto& type : co_await journal.types()) {
    auto const id = type.id;
    fresh->emplace(id, std::make_shared<ScoreType const>(std::move(type)));
  }
  std::lock_guard const lock(mutex_);
  // No type is ever deleted, so one that is missing was put here while SQL was being read.
  fresh->insert(types_->begin(), types_->end());
  types_ = std::move(fresh);
}

void TypeCache::put(ScoreType type) {
  std::lock_guard const lock(mutex_);
  auto changed = std::make_shared<Types>(*types_);
  auto const id = type.id;
  (*changed)[id] = std::make_shared<ScoreType const>(std::move(type));
  types_ = std::move(changed);
}

Ledger::Ledger(redis::Redis& redis, Shared& shared) : redis_(redis), shared_(shared) {}

Task<Result<ScoreType>> Ledger::create_type(ScoreType type) {
  type.created_at = shared_.clock.now();
  auto created = co_await shared_.journal.create_type(std::move(type));
  if (created) shared_.types.put(*created);
  co_return created;
}

Task<std::vector<ScoreType>> Ledger::types() { return shared_.journal.types(); }

// For a type that is not in memory: another Larder may have just made it. SQL is asked by one at a time, and
// at most once a second; who comes meanwhile waits for that answer.
Task<Result<std::shared_ptr<ScoreType const>>> Ledger::look_up_type(TypeId id) {
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

Task<Result<ScoreType>> Ledger::type(TypeId id) {
  auto type = shared_.types.find(id);
  if (!type) {
    auto const found = co_await look_up_type(id);
    if (!found) co_return std::unexpected(found.error());
    type = *found;
  }
  co_return *type;
}

Task<Result<OrderId>> Ledger::issue_order(TypeId id) {
  auto type = shared_.types.find(id);
  if (!type) {
    auto const found = co_await look_up_type(id);
    if (!found) co_return std::unexpected(found.error());
    type = *found;
  }
  auto const shard = id * shards_per_type + std::int64_t(random_.below(std::uint64_t(shared_.order_shards)));
  auto const key = Keys::counter(id, shard);
  // Repeating it only skips a number.
  auto const reply = co_await redis_.command(redis::Use::idempotent_write, key, {"INCR", key});
  co_return OrderId::from(fmt::format("{}:{}", reply.integer(), shard)).value();
}

Task<Result<Receipt>> Ledger::post(Entry entry) {
  auto type = shared_.types.find(entry.account.type);
  if (!type) {
    auto const found = co_await look_up_type(entry.account.type);
    if (!found) co_return std::unexpected(found.error());
    type = *found;
  }
  auto const now = shared_.clock.now();
  auto problem = check_entry(entry, *type, now);
  // A retry of an entry that came in time gets its answer even after the type's end.
  bool const may_decide = !problem;
  if (problem && problem->code != errors::type_not_active) co_return std::unexpected(std::move(*problem));

  auto const outbox = shared_.keys.outbox_of(entry.account.uid);
  auto const balance_key = shared_.keys.balance(entry.account);
  auto const order_key = shared_.keys.order(entry.account.uid, entry.order_id);
  std::array<std::string_view, 3> const keys{shared_.keys.outboxes()[outbox], balance_key, order_key};
  auto const amount = fmt::format_int(entry.amount.value());
  auto const type_id = fmt::format_int(type->id);
  auto const order_ttl_ms = fmt::format_int(type->order_ttl_days * day_ms);
  auto const expires_at = fmt::format_int(type->ends_at.value_or(TimeMs{}).value);
  auto const now_ms = fmt::format_int(now.value);
  auto const view = [](fmt::format_int const& number) {
    return std::string_view(number.data(), number.size());
  };
  std::array<std::string_view, 11> const args{
      name_of(entry.op),  view(amount),     view(type_id),           entry.account.domain.str(),
      view(order_ttl_ms), view(expires_at), entry.account.uid.str(), entry.order_id.str(),
      entry.remark,       view(now_ms),     may_decide ? "1" : "0"};
  auto const reply = co_await run_post(keys, args, entry.order_id);
  if (reply.size() == 0) co_return std::unexpected(std::move(*problem));
  shared_.wake_projector(outbox);
  auto const outcome = parse_outcome(reply.at(1).text());
  // What our own first attempt did, whose answer was lost on the way, is no replay.
  bool const own = reply.repeated() && outcome.at == now && conflicting_fields(entry, outcome).empty();
  if (reply.at(0).integer() == 1 && !own) co_return replay(entry, outcome);
  co_return Receipt{.outcome = outcome, .replayed = false};
}

Task<redis::Reply> Ledger::run_post(std::span<std::string_view const> keys,
                                    std::span<std::string_view const> args, OrderId const& order_id) {
  try {
    co_return co_await redis_.run(redis::Use::idempotent_write, post_entry, keys, args);
  } catch (StoreError const& error) {
    throw StoreError(fmt::format("order {}: {}", order_id.str(), error.what()), error.outcome_unknown());
  }
}

Task<Result<Amount>> Ledger::balance(Account account) {
  auto type = shared_.types.find(account.type);
  if (!type) {
    auto const found = co_await look_up_type(account.type);
    if (!found) co_return std::unexpected(found.error());
    type = *found;
  }
  auto const key = shared_.keys.balance(account);
  auto const reply = co_await redis_.command(redis::Use::read, key, {"GET", key});
  if (reply.is_nil()) co_return Amount{};
  co_return Amount::from(reply.integer()).value();
}

Task<Result<Outcome>> Ledger::order(UserId uid, OrderId order_id) {
  auto const key = shared_.keys.order(uid, order_id);
  auto const reply = co_await redis_.command(redis::Use::read, key, {"GET", key});
  if (reply.is_nil()) {
    co_return refuse(errors::order_not_found, fmt::format("no order {} is remembered", order_id.str()));
  }
  co_return parse_outcome(reply.text());
}

Task<std::vector<Flow>> Ledger::flows(FlowQuery query) {
  auto const outbox = shared_.keys.outbox_of(query.uid);
  shared_.wake_projector(outbox);
  if (!co_await events::caught_up(redis_, shared_.keys.outboxes()[outbox], journal_patience)) {
    throw StoreError("the journal lags behind the entries", false);
  }
  co_return co_await shared_.journal.flows(std::move(query));
}

}  // namespace larder::ledger
