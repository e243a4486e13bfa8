// Batches of entries: each entry on its own, or all or none.
#include "base/when_all.hpp"
#include "systems/ledger/ledger.hpp"
#include "systems/ledger/ledger_rules.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace larder::ledger {

namespace {

constexpr std::size_t chunk_entries = 100;  // per script, which then takes well under a millisecond

}  // namespace

struct Ledger::Batch {
  std::vector<Entry> entries;
  std::vector<Result<Receipt>> results = std::vector<Result<Receipt>>(entries.size());
  bool may_have_effect = false;  // whether any entry may have taken effect

  // Runs a part of the batch in Redis, and notes whether it may have taken effect.
  template <class T>
  Task<T> note_effect(Task<T> part) {
    try {
      auto done = co_await std::move(part);
      may_have_effect = true;
      co_return done;
    } catch (StoreError const& error) {
      may_have_effect = may_have_effect || error.outcome_unknown();
      throw;
    }
  }
};

// Entries of plain accounts are posted by scripts with many entries each. All other entries are posted one
// after the other. If the batch adds a lot to an account, all entries of that account go the second way, so
// that they keep their order.
Task<std::vector<Result<Receipt>>> Ledger::post_each(std::vector<Entry> entries) {
  Batch batch{.entries = std::move(entries)};
  std::set<std::string> with_lots;
  for (auto const& entry : batch.entries) {
    if (entry.makes_lot()) with_lots.insert(shared_.keys.balance(entry.account));
  }
  std::map<std::size_t, std::vector<std::size_t>> by_slot;     // entries of plain accounts
  std::map<std::string, std::vector<std::size_t>> one_by_one;  // by account
  for (std::size_t i = 0; i < batch.entries.size(); ++i) {
    auto const& account = batch.entries[i].account;
    auto key = shared_.keys.balance(account);
    if (with_lots.contains(key)) {
      one_by_one[std::move(key)].push_back(i);
    } else {
      by_slot[shared_.keys.slot_group_of(account.uid)].push_back(i);
    }
  }
  try {
    std::vector<Task<std::vector<std::size_t>>> slots;
    for (auto const& [slot, indices] : by_slot) slots.push_back(post_slot(batch, indices));
    for (auto const& left : co_await when_all(std::move(slots))) {
      for (auto const i : left) one_by_one[shared_.keys.balance(batch.entries[i].account)].push_back(i);
    }
    std::vector<Task<bool>> accounts;
    for (auto const& [key, indices] : one_by_one) accounts.push_back(post_in_order(batch, indices));
    co_await when_all(std::move(accounts));
  } catch (StoreError const& error) {
    if (error.outcome_unknown() || !batch.may_have_effect) throw;
    throw StoreError(error.what(), true, error.store());
  }
  co_return std::move(batch.results);
}

// Posts one chunk after the other, so that the entries of an account keep their order. Returns the entries
// that were not posted, because their accounts have more than a balance.
Task<std::vector<std::size_t>> Ledger::post_slot(Batch& batch, std::span<std::size_t const> indices) {
  std::vector<std::size_t> all_left;
  std::set<std::string> left_accounts;
  for (std::size_t from = 0; from < indices.size();) {
    std::vector<std::size_t> chunk;
    for (; from < indices.size() && chunk.size() < chunk_entries; ++from) {
      auto const i = indices[from];
      bool const left =
          !left_accounts.empty() && left_accounts.contains(shared_.keys.balance(batch.entries[i].account));
      (left ? all_left : chunk).push_back(i);
    }
    for (auto const i : co_await post_chunk(batch, chunk)) {
      all_left.push_back(i);
      left_accounts.insert(shared_.keys.balance(batch.entries[i].account));
    }
  }
  co_return all_left;
}

Task<std::vector<std::size_t>> Ledger::post_chunk(Batch& batch, std::span<std::size_t const> indices,
                                                  int refreshes) {
  Stopwatch const watch;
  auto const now = shared_.clock.now();
  std::vector<std::size_t> sent;
  std::vector<Entry> chunk;
  std::vector<TypePtr> types;
  std::vector<std::optional<Error>> problems;
  for (auto const i : indices) {
    auto const& entry = batch.entries[i];
    if (auto problem = problem_of_entry(entry)) {
      batch.results[i] = std::unexpected(std::move(*problem));
      continue;
    }
    auto const type = co_await find_type(entry.account.type);
    if (!type) {
      batch.results[i] = std::unexpected(type.error());
      continue;
    }
    problems.push_back(co_await problem_of_order_now(entry.order_id, **type, std::nullopt, now));
    types.push_back(*type);
    chunk.push_back(entry);
    sent.push_back(i);
  }
  std::vector<std::size_t> left;
  if (chunk.empty()) co_return left;
  std::vector<Posting> postings;
  for (std::size_t at = 0; at < chunk.size(); ++at) {
    postings.push_back({.entry = chunk[at], .type = *types[at], .may_decide = !problems[at]});
  }
  auto const reply = co_await batch.note_effect(post_plain(postings, now));
  redis::ReplyReader in(reply);
  std::vector<std::size_t> stale;
  for (std::size_t at = 0; at < sent.size(); ++at) {
    auto answer = in.array();
    if (is_stale(answer)) {
      stale.push_back(sent[at]);
      continue;
    }
    if (has_more(answer)) {
      left.push_back(sent[at]);
      continue;
    }
    metrics_.took(chunk[at].op, watch.seconds());
    if (answer.at_end()) {
      batch.results[sent[at]] = std::unexpected(std::move(*problems[at]));
    } else {
      after(chunk[at].account.uid, "");
      batch.results[sent[at]] = receipt(chunk[at], reply, answer, now);
    }
  }
  if (!stale.empty()) {
    if (refreshes == refreshes_max) throw StoreError(StaleType().what(), false);
    co_await refresh_types();
    auto const left_of_stale = co_await post_chunk(batch, stale, refreshes + 1);
    left.insert(left.end(), left_of_stale.begin(), left_of_stale.end());
  }
  co_return left;
}

Task<bool> Ledger::post_in_order(Batch& batch, std::span<std::size_t const> indices) {
  for (auto const i : indices) {
    try {
      batch.results[i] = co_await batch.note_effect(post(batch.entries[i]));
    } catch (ForeignRecord const& error) {
      batch.results[i] = std::unexpected(error.refusal());
    }
  }
  co_return true;
}

Task<Result<std::vector<Receipt>>> Ledger::post_all(std::vector<Entry> entries) {
  return with_newest_types([this, entries = std::move(entries)] { return post_all_once(entries); });
}

Task<Result<std::vector<Receipt>>> Ledger::post_all_once(std::vector<Entry> const& entries) {
  LARDER_ASSERT(!entries.empty());
  Stopwatch const watch;
  auto const refused = [&](std::size_t index, Error const& why) {
    Error error{.code = errors::batch_refused,
                .detail = fmt::format("entry {} of the batch: {}; nothing was done", index, why.detail)};
    error.more = {{"index", index}, {"order_id", entries[index].order_id.str()}, {"reason", why.code.name}};
    return std::unexpected(std::move(error));
  };
  auto const now = shared_.clock.now();
  std::vector<TypePtr> types;
  std::vector<std::optional<Error>> problems;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (auto const problem = problem_of_entry(entries[i])) co_return refused(i, *problem);
    auto const type = co_await find_type(entries[i].account.type);
    if (!type) co_return refused(i, type.error());
    if (!shared_.keys.same_slot(entries[0].account.uid, entries[i].account.uid)) {
      co_return refuse(
          errors::not_one_slot,
          fmt::format("an atomic batch must stay in one bucket of users: {} and {} are in different ones",
                      entries[0].account.uid.str(), entries[i].account.uid.str()));
    }
    types.push_back(*type);
    problems.push_back(
        co_await problem_of_order_now(entries[i].order_id, **type, entries[i].expires_at, now));
  }
  std::vector<Posting> postings;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    postings.push_back({.entry = entries[i], .type = *types[i], .may_decide = !problems[i]});
  }
  auto const reply = co_await post_entries(postings, scripts::Posted::as_batch, now);
  for (auto const& entry : entries) metrics_.took(entry.op, watch.seconds());
  redis::ReplyReader in(reply);
  auto const next_due = in.text();
  if (!in.is_array()) {
    auto const index = std::size_t(in.integer()) - 1;
    auto const why = in.text();
    if (why == "may_not_decide") co_return refused(index, *problems[index]);
    co_return refused(index, refusal_of(why));
  }
  for (auto const& entry : entries) after(entry.account.uid, next_due);
  std::vector<Receipt> receipts;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto answer = in.array();
    auto made = receipt(entries[i], reply, answer, now);
    if (!made) co_return refused(i, made.error());
    receipts.push_back(std::move(*made));
  }
  co_return receipts;
}

}  // namespace larder::ledger
