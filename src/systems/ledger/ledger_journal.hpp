// The SQL side of the ledger: score types and flows.
#pragma once

#include "base/task.hpp"
#include "kit/events/feed.hpp"
#include "stores/sql/sql.hpp"
#include "systems/ledger/ledger_types.hpp"

#include <span>
#include <vector>

namespace larder::ledger {

// Thread-safe.
class Journal {
 public:
  // `flow_tables` is fixed with the first start: a user's flows stay in one table for ever.
  Journal(Sql& sql, std::int64_t flow_tables);

  // Makes the tables. Blocking. Throws SetupError if the database was made for another number of tables.
  void migrate_now();

  Task<Result<ScoreType>> create_type(ScoreType type);
  Task<Result<ScoreType>> change_type(TypeId id, TypeChange change);
  Task<std::vector<ScoreType>> types();

  Task<void> set_rate(Rate rate);
  Task<std::optional<Rate>> rate(TypeId from, TypeId to);

  // Newest first.
  Task<std::vector<Flow>> flows(FlowQuery query);

  // After the last flow that is not later; 0 if there is none.
  Task<Amount> balance_at(Account account, TimeMs time);

  // Writes outbox events of the ledger's scripts; one that is already there is ignored.
  void write_flows(SqlSession& session, std::span<events::Event const> events) const;

 private:
  std::string table_of(UserId const& uid) const;

  Sql& sql_;
  std::int64_t flow_tables_;
};

// What the feed tells of an outbox event of post_entry.lua.
events::FeedEvent to_feed(events::Event const& event);

}  // namespace larder::ledger
