#include "systems/ledger/ledger.hpp"

#include "base/number.hpp"
#include "base/when_all.hpp"
#include "systems/ledger/ledger_rules.hpp"
#include "systems/ledger/type_ends.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

constexpr std::int64_t look_up_every_ms = 1000;

// Removes the first words of the text and returns them.
std::string_view take_words(std::string_view& text, int count) {
  std::size_t end = 0;
  for (; count > 0; --count) end = std::min(text.find(' ', end), text.size()) + 1;
  auto const words = text.substr(0, end - 1);
  text.remove_prefix(std::min(end, text.size()));
  return words;
}

// The accounts that a script could not settle: see account.lua.
std::vector<Account> unsettled_accounts(redis::ReplyError const& error) {
  constexpr std::string_view mark = "UNSETTLED ";
  std::string_view text = error.what();
  std::vector<Account> accounts;
  auto const at = text.find(mark);
  if (at == std::string_view::npos) return accounts;
  text.remove_prefix(at + mark.size());
  for (auto left = parse_int(take_words(text, 1)).value(); left > 0; --left)
    accounts.push_back(parse_account(take_words(text, 3)));
  return accounts;
}

// The record does not say which type and domain the order belongs to.
Error decided_by_original(std::string const& key, Outcome const& outcome) {
  auto error = ForeignRecord(key).refusal();
  error.detail =
      fmt::format("the original service decided this order; post it again for its outcome ({})", key);
  error.more["original"] = {{"op", name_of(outcome.op)},
                            {"status", name_of(outcome.status)},
                            {"amount", outcome.amount.value()},
                            {"old_balance", outcome.old_balance.value()},
                            {"balance", outcome.balance.value()}};
  return error;
}

}  // namespace

Ledger::Ledger(redis::Redis& redis, Shared& shared)
    : redis_(redis), shared_(shared), issued_(redis, shared.order_shards), metrics_(shared.metrics) {}

Task<Result<ScoreType>> Ledger::create_type(ScoreType type) {
  if (auto problem = problem_of_type(type)) co_return std::unexpected(std::move(*problem));
  type.created_at = shared_.clock.now();
  auto created = co_await shared_.journal.create_type(std::move(type));
  if (created) shared_.types.put(*created);
  co_return created;
}

Task<Result<ScoreType>> Ledger::change_type(TypeId id, TypeChange change) {
  bool const ends_otherwise = change.ends_at || change.clears_ends_at;
  auto changed = co_await shared_.journal.change_type(id, std::move(change), shared_.clock.now());
  if (!changed) co_return changed;
  shared_.types.put(*changed);
  if (!ends_otherwise) co_return changed;
  Stopwatch const watch;
  try {
    co_await schedule_type_work(redis_, id, shared_.clock.now());
    while (std::chrono::duration<double>(watch.seconds()) < type_work_by_request) {
      if (!co_await ledger::work_on_type(redis_, shared_, id)) continue;
      co_await redis_.command(redis::Use::idempotent_write, Keys::types_due,
                              {"ZREM", Keys::types_due, fmt::to_string(id)});
      break;
    }
  } catch (StoreError const& error) {
    throw StoreError(error.what(), true, error.store());  // the type has already changed
  }
  co_return changed;
}

Task<std::vector<ScoreType>> Ledger::types() { return shared_.journal.types(); }

Task<Result<Ledger::TypePtr>> Ledger::find_type(TypeId id) {
  if (auto type = shared_.types.find(id)) co_return type;
  co_return co_await look_up_type(id);
}

// For a type that is not in memory, because another server may have just created it. Only one coroutine asks
// SQL at a time, and at most once a second. The others wait for its answer.
Task<Result<Ledger::TypePtr>> Ledger::look_up_type(TypeId id) {
  auto type = shared_.types.find(id);
  for (bool looked = false; !type && !looked; type = shared_.types.find(id)) {
    auto const now = shared_.clock.now();
    if (now >= looked_up_at_ && now - looked_up_at_ < look_up_every_ms) break;
    looked = co_await look_up_.run([&]() -> Task<void> {
      co_await shared_.types.refresh(shared_.journal);
      looked_up_at_ = now;
    });
  }
  if (!type) co_return refuse(errors::type_not_found, fmt::format("there is no type {}", id));
  co_return type;
}

// For an account or an order that exists.
Task<Ledger::TypePtr> Ledger::known_type(TypeId id) {
  auto type = co_await find_type(id);
  if (!type) throw std::runtime_error(fmt::format("points of a type that does not exist: {}", id));
  co_return std::move(*type);
}

Task<void> Ledger::refresh_types() {
  co_await look_up_.run([this]() -> Task<void> { co_await shared_.types.refresh(shared_.journal); });
}

Task<void> Ledger::work_on_type(std::string member) {
  auto const id = parse_int(member);
  if (!id) throw std::runtime_error(fmt::format("'{}' is no type", member));
  bool const done = co_await ledger::work_on_type(redis_, shared_, *id);
  std::string_view const key = Keys::types_due;
  auto const now = fmt::to_string(shared_.clock.now().value);
  std::vector<std::string_view> words{"ZREM", key, member};
  if (!done) words = {"ZADD", key, now, member};
  co_await redis_.command(redis::Use::idempotent_write, key, words);
}

Task<Result<ScoreType>> Ledger::type(TypeId id) {
  auto const type = co_await find_type(id);
  if (!type) co_return std::unexpected(type.error());
  co_return **type;
}

Task<Result<OrderId>> Ledger::issue_order(TypeId id) {
  auto const type = co_await find_type(id);
  if (!type) co_return std::unexpected(type.error());
  co_return co_await issued_.issue(**type, shared_.clock.now());
}

Task<std::optional<Error>> Ledger::problem_of_order_now(OrderId const& order_id, ScoreType const& type,
                                                        std::optional<TimeMs> expires_at, TimeMs now) {
  if (auto problem = problem_of_inactive_type(type, now)) co_return problem;
  if (auto problem = problem_of_expiry(expires_at, now)) co_return problem;
  if (!co_await issued_.is_too_old(order_id, type, now)) co_return std::nullopt;
  co_return Error{
      .code = errors::order_too_old,
      .detail = fmt::format("order {} was issued too long ago to tell whether it was used; ask for another",
                            order_id.str())};
}

Task<Result<Outcome>> Ledger::order(UserId uid, OrderId order_id) {
  auto const key = shared_.keys.order(uid, order_id);
  auto const reply =
      co_await scripts::run(redis_, redis::Use::read, scripts::read_order(shared_.keys, uid, order_id));
  if (reply.is_nil()) {
    co_return refuse(errors::order_not_found, fmt::format("no order {} is remembered", order_id.str()));
  }
  if (auto const original = read_original_record(reply.text()))
    co_return std::unexpected(decided_by_original(key, *original));
  if (!is_record(reply.text())) throw ForeignRecord(key);
  auto outcome = parse_record(reply.text());
  tell_expiry(outcome, shared_.clock.now());
  co_return outcome;
}

Result<Outcome> Ledger::remembered(Terms const& terms, UserId const& uid, OrderId const& order_id,
                                   std::string_view record) const {
  if (is_record(record)) return parse_record(record);
  auto original = read_original_record(record);
  if (!original) return std::unexpected(ForeignRecord(shared_.keys.order(uid, order_id)).refusal());
  original->type = terms.type;
  original->domain = terms.domain;
  return std::move(*original);
}

Task<redis::Reply> Ledger::run(redis::ScriptCall call, OrderId const& order_id) {
  for (;;) {
    std::vector<Account> unsettled;
    try {
      co_return co_await scripts::run(redis_, redis::Use::idempotent_write, call);
    } catch (LostError const&) {
      throw;
    } catch (StoreError const& error) {
      throw StoreError(fmt::format("order {}: {}", order_id.str(), error.what()), error.outcome_unknown(),
                       error.store());
    } catch (redis::ReplyError const& error) {
      refuse_stale_type(error);
      unsettled = unsettled_accounts(error);
      if (unsettled.empty()) throw;
    }
    std::vector<Task<bool>> settling;
    for (auto& account : unsettled) settling.push_back(settle_fully(std::move(account)));
    co_await when_all(std::move(settling));
  }
}

Task<bool> Ledger::settle_fully(Account account) {
  co_await settle_account(std::move(account));
  co_return true;
}

void Ledger::refuse_stale_type(redis::ReplyError const& error) {
  if (std::string_view(error.what()).find("STALETYPE ") == std::string_view::npos) return;
  throw StaleType();
}

// Call it after something was written for this user.
void Ledger::after(UserId const& uid, std::string_view next_due) {
  auto const shard = shared_.keys.shard_of(uid);
  shared_.wake_projector(shard);
  if (auto const due = parse_int(next_due)) shared_.wake_schedule(shard, {*due});
}

// A replayed order gets its first answer, or order_conflict if it was used with other terms.
Result<Receipt> Ledger::replay(Terms const& terms, OrderId const& order_id, Receipt receipt) {
  auto const fields = conflicting_fields(terms, receipt.outcome);
  if (fields.empty()) return receipt;
  Error error{.code = errors::order_conflict,
              .detail = fmt::format("order {} was first used with another {}", order_id.str(),
                                    fmt::join(fields, ", "))};
  error.more["fields"] = boost::json::array(fields.begin(), fields.end());
  return std::unexpected(std::move(error));
}

Task<Result<Receipt>> Ledger::post(Entry entry) {
  return with_newest_types([this, entry = std::move(entry)] { return post_once(entry); });
}

Task<Result<Receipt>> Ledger::post_once(Entry const& entry) {
  Stopwatch const watch;
  if (auto problem = problem_of_entry(entry)) co_return std::unexpected(std::move(*problem));
  auto const type = co_await find_type(entry.account.type);
  if (!type) co_return std::unexpected(type.error());
  auto const now = shared_.clock.now();
  // Even after the end of the type, a retry of an entry that came in time gets its answer.
  auto problem = co_await problem_of_order_now(entry.order_id, **type, entry.expires_at, now);
  Posting const posting{.entry = entry, .type = **type, .may_decide = !problem};
  std::string_view next_due;
  redis::Reply reply;
  std::optional<redis::ReplyReader> answer;
  if (!entry.makes_lot()) {
    reply = co_await post_plain({&posting, 1}, now);
    answer = redis::ReplyReader(reply).array();
    if (is_stale(*answer)) throw StaleType();
  }
  if (!answer || has_more(*answer)) {
    reply = co_await post_entries({&posting, 1}, scripts::Posted::alone, now);
    redis::ReplyReader in(reply);
    next_due = in.text();
    answer = in.array();
  }
  metrics_.took(entry.op, watch.seconds());
  if (answer->at_end()) co_return std::unexpected(std::move(*problem));
  after(entry.account.uid, next_due);
  co_return receipt(entry, reply, *answer, now);
}

// The fast path, for accounts that consist of their balance only.
Task<redis::Reply> Ledger::post_plain(std::span<Posting const> postings, TimeMs now) {
  return run(scripts::post_entry(shared_.keys, postings, now), postings[0].entry.order_id);
}

Task<redis::Reply> Ledger::post_entries(std::span<Posting const> postings, scripts::Posted posted,
                                        TimeMs now) {
  return run(scripts::post_entries(shared_.keys, postings, posted, now), postings[0].entry.order_id);
}

}  // namespace larder::ledger
