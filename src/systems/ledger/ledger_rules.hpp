// The rules of the ledger that need neither Redis nor a clock.
#pragma once

#include "systems/ledger/ledger_types.hpp"

#include <string_view>
#include <vector>

namespace larder::ledger {

// A request as its order remembers it: what a replay must repeat.
struct Terms {
  struct Word {
    std::string_view field;  // what the caller calls it
    std::string_view name;   // what the order's detail calls it
    std::string value;       // empty: the order must not have it
  };
  Op op;
  TypeId type;
  Domain domain;
  Amount amount;
  std::vector<Word> words = {};
  std::string_view type_field = "type";

  std::string detail() const;
};
Terms terms_of(Entry const& entry);
Terms terms_of(Transfer const& transfer);
Terms terms_of(Exchange const& exchange);
Terms terms_of(Hold const& hold);

// Which of the terms differ from those that the order was first used with. A remark is none of them: it says
// why, not what.
std::vector<std::string_view> conflicting_fields(Terms const& terms, Outcome const& first);

// A hold that expires is released by its account, which does not touch the order: that still says open. Makes
// the outcome say that it has expired.
void tell_expiry(Outcome& outcome, TimeMs now);

// Why a request can never be right: amount 0, times of something that is no lot, times in the wrong order, an
// op that comes with other requests, a remark that cannot be journaled.
std::optional<Error> problem_of_entry(Entry const& entry);
std::optional<Error> problem_of_amount(Amount amount, std::string_view to_do);
std::optional<Error> problem_of_remark(std::string_view remark);
std::optional<Error> problem_of_type(ScoreType const& type);
std::optional<Error> problem_of_rate(Rate const& rate);

// Why it cannot be decided now, while a retry of one that came in time still gets its answer.
std::optional<Error> problem_of_inactive_type(ScoreType const& type, TimeMs now);
std::optional<Error> problem_of_expiry(std::optional<TimeMs> expires_at, TimeMs now);
// Of a question about the past: what will be is not known.
std::optional<Error> problem_of_past_time(TimeMs time, TimeMs now);

// The type after a change; refused if it would end before it starts, or if it ended so long ago that its
// points may be gone: type_over. An end in the past is taken as now, or stays what it was.
Result<ScoreType> changed(ScoreType type, TypeChange const& change, TimeMs now);

// A refusal by its name, as a script gives it.
Error refusal_of(std::string_view why);

// When the keys of an account vanish, 0: never. They outlive the type by a day: the end may have been a
// mistake.
TimeMs keys_expire_at(ScoreType const& type);
// The end can be moved as long as the keys are there for certain: clocks differ, and it takes a while.
inline constexpr std::int64_t reopened_within_ms = day_ms - 3'600'000;

// For how many days at least an order is remembered that was decided then, or later.
std::int64_t days_surely_remembered(ScoreType const& type, TimeMs decided_at);

// How many points an exchange gives, rounded down; nothing if they are more than any balance may have.
std::optional<Amount> exchanged(Amount amount, Rate const& rate);

}  // namespace larder::ledger
