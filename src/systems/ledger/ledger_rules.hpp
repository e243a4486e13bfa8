// The rules of the ledger. They need neither Redis nor a clock.
#pragma once

#include "systems/ledger/ledger_types.hpp"

#include <string_view>
#include <vector>

namespace larder::ledger {

// The terms of a request that its order remembers. A replay must have the same terms.
struct Terms {
  struct Word {
    std::string_view field;  // the name in the request
    std::string_view name;   // the name in the order's detail
    std::string value;       // empty: the order's detail must not have this word
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

// The fields whose terms differ from the first use of the order. The remark is not
// compared: it says why, not what.
std::vector<std::string_view> conflicting_fields(Terms const& terms, Outcome const& first);

// A hold that expires is released through its account, and the record of its order still says open. If the
// hold has expired by now, this makes the outcome say so.
void tell_expiry(Outcome& outcome, TimeMs now);

// Why a request can never be accepted: amount 0, times on an entry that makes no lot, times in the wrong
// order, an op that is not one of entries, or a remark that cannot be journaled.
std::optional<Error> problem_of_entry(Entry const& entry);
std::optional<Error> problem_of_amount(Amount amount, std::string_view to_do);
std::optional<Error> problem_of_remark(std::string_view remark);
std::optional<Error> problem_of_type(ScoreType const& type);
std::optional<Error> problem_of_rate(Rate const& rate);

// Why a request cannot be decided now. A retry of a request that came in time still gets its answer.
std::optional<Error> problem_of_inactive_type(ScoreType const& type, TimeMs now);
std::optional<Error> problem_of_expiry(std::optional<TimeMs> expires_at, TimeMs now);
// For questions about the past: refuses a time in the future.
std::optional<Error> problem_of_past_time(TimeMs time, TimeMs now);

// The type after the change. An end in the past becomes now; if the type has already ended, its end
// stays. Refused if the type would end before it starts, or with type_over if it ended so long ago
// that its points may be gone.
Result<ScoreType> changed(ScoreType type, TypeChange const& change, TimeMs now);

// Turns the name of a refusal, as a script returns it, into an error. Throws
// std::runtime_error if the name is unknown.
Error refusal_of(std::string_view why);

// When the keys of an account vanish; 0: never. They outlive the type by a day, in
// case the end was a mistake.
TimeMs keys_expire_at(ScoreType const& type);
// How long after the end of a type its end can be changed. The keys must certainly still exist: clocks
// differ, and the change takes time.
inline constexpr std::int64_t reopened_within_ms = day_ms - 3'600'000;

// The least number of days for which an order that was decided at this time or later is remembered.
std::int64_t days_surely_remembered(ScoreType const& type, TimeMs decided_at);

// The points that an exchange gives, rounded down; nothing if no balance could hold them.
std::optional<Amount> exchanged(Amount amount, Rate const& rate);

}  // namespace larder::ledger
