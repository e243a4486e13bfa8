// How many points of each type all users have together, counted from the journal.
//
// The flows are counted in the order of their time, in portions, up to a moment from before which no further
// flow can come (see Ledger::count_totals). SQL has the sums and that moment, which move in one transaction.
// So each flow counts exactly once, whichever server has written it, and whichever servers count.
#pragma once

#include "stores/sql/session.hpp"
#include "systems/ledger/ledger_types.hpp"

#include <map>
#include <span>

namespace larder::ledger {

// Sums of the points of many users may be above what 64 bits hold.
using Points = __int128;

struct Sums {
  Points outstanding = 0;  // what can be spent now
  Points held = 0;         // in open holds
  Points pending = 0;      // sent to another slot, not yet arrived
  Points waiting = 0;      // in lots that do not count yet

  Sums& operator+=(Sums const& other);
  friend bool operator==(Sums const&, Sums const&) = default;
};

// What a flow changes.
Sums change_of(Outcome const& outcome);

using TypeSums = std::map<TypeId, Sums>;

// How far the flows are counted. The epoch changes when they are counted again from the first one.
struct CountMark {
  std::int64_t counted_ms = 0;
  std::int64_t epoch = 0;
  friend bool operator==(CountMark const&, CountMark const&) = default;
};

struct Totals {
  CountMark mark;  // the sums have every flow up to this moment
  TypeSums by_type;
};

// What the users have of one type together.
struct TypeTotals {
  ScoreType type;
  Sums sums;
  TimeMs at;  // the sums are exact for this moment
};

// The functions below are for jobs of the Database.

CountMark read_count_mark(sql::Session& session);
Totals read_totals(sql::Session& session);
// Adds to the sums, and moves the mark from `mark` to `counted_ms`. Returns false, and changes nothing, if
// the mark has been moved meanwhile.
bool add_totals(sql::Session& session, CountMark const& mark, std::int64_t counted_ms, TypeSums const& sums);
// The journal has got a flow from before the mark. From now on the flows are counted again.
void forget_totals(sql::Session& session);

}  // namespace larder::ledger
