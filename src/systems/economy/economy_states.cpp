// What the events tell about the state of realms and players, in SQL.
#include "base/json.hpp"
#include "kit/events/outbox_positions.hpp"
#include "systems/economy/economy_journal.hpp"
#include "systems/economy/realm.hpp"

#include <fmt/format.h>

namespace larder::economy {

namespace {

ToldState read_state(sql::Row const& row) {
  ToldState told{.user_id = row.text(0), .ms = row.int64(1), .sequence = row.int64(2)};
  auto const state = parse_json(row.text(3));
  if (!state || !state->is_object()) return told;
  for (auto const& [name, value] : state->get_object()) {
    if (auto const* const text = value.if_string()) told.fields.emplace(name, *text);
  }
  return told;
}

constexpr int forgotten_at_once = 1000;
constexpr std::string_view is_after = "(event_ms > ? OR (event_ms = ? AND event_seq > ?))";

}  // namespace

Task<std::vector<ToldState>> EconomyJournal::read_states(std::string where, sql::Values params,
                                                         std::int64_t limit) {
  auto const sql = fmt::format(
      "SELECT user_id, event_ms, event_seq, state FROM economy_state WHERE {} "
      "ORDER BY user_id, event_ms, event_seq LIMIT {}",
      where, limit);
  auto const rows =
      co_await sql_.read([sql, params](sql::Session& session) { return session.query(sql, params); });
  std::vector<ToldState> states;
  states.reserve(rows.size());
  for (auto const& row : rows) states.push_back(read_state(row));
  co_return states;
}

// Two questions, because one with OR over both columns would read the whole realm for each page.
Task<std::vector<ToldState>> EconomyJournal::states(RealmId realm, std::optional<ToldState> after,
                                                    std::int64_t limit) {
  if (after) {
    auto more =
        co_await read_states(fmt::format("realm = ? AND user_id = ? AND {}", is_after),
                             {realm.str(), after->user_id, after->ms, after->ms, after->sequence}, limit);
    if (!more.empty()) co_return more;
  }
  co_return co_await read_states("realm = ? AND user_id > ?",
                                 {realm.str(), after ? after->user_id : std::string()}, limit);
}

Task<std::optional<ToldCatalogue>> EconomyJournal::catalogue(RealmId realm) {
  auto const rows = co_await sql_.read([realm = realm.str()](sql::Session& session) {
    return session.query(
        "SELECT user_id, event_ms, event_seq, state FROM economy_state WHERE realm = ? AND user_id = ? "
        "ORDER BY event_ms DESC, event_seq DESC LIMIT 1",
        {realm, std::string(catalogue_teller)});
  });
  if (rows.empty()) co_return std::nullopt;
  auto told = read_state(rows[0]);
  co_return ToldCatalogue{.data = std::move(told.fields[".catalogue-data"]),
                          .source = std::move(told.fields[".catalogue-source"])};
}

Task<bool> EconomyJournal::has_points_after(RealmId realm, ToldState event) {
  sql::Values const params{realm.str(), event.user_id, event.ms, event.ms, event.sequence};
  auto const sql = fmt::format(
      "SELECT 1 FROM economy_event WHERE realm = ? AND user_id = ? AND of_items = 0 AND amount <> 0 AND {} "
      "LIMIT 1",
      is_after);
  auto const rows =
      co_await sql_.read([sql, params](sql::Session& session) { return session.query(sql, params); });
  co_return !rows.empty();
}

Task<void> EconomyJournal::forget_positions(events::Positions positions) {
  co_await sql_.write([positions](sql::Session& session) { events::forget_positions(session, positions); });
}

Task<bool> EconomyJournal::forget_some(RealmId realm, std::int64_t last_ms) {
  for (std::string_view const table : {"economy_event", "economy_state"}) {
    bool const more = co_await sql_.write([table, realm = realm.str(), last_ms](sql::Session& session) {
      // Not every database can limit a DELETE. So look where the portion ends.
      auto const end = session.query(
          fmt::format("SELECT event_ms FROM {} WHERE realm = ? AND event_ms <= ? ORDER BY event_ms LIMIT 1 "
                      "OFFSET {}",
                      table, forgotten_at_once),
          {realm, last_ms});
      session.execute(fmt::format("DELETE FROM {} WHERE realm = ? AND event_ms <= ?", table),
                      {realm, end.empty() ? last_ms : end[0].int64(0)});
      return !end.empty();
    });
    if (more) co_return true;
  }
  co_return co_await sql_.write(
      [realm](sql::Session& session) { return forget_some_players(session, realm, forgotten_at_once); });
}

Task<std::vector<PlayerLine>> EconomyJournal::players(RealmId realm, PlayersQuery query) {
  co_return co_await sql_.read([realm = std::move(realm), query = std::move(query)](sql::Session& session) {
    return list_players(session, realm, query);
  });
}

Task<std::vector<PlayerLine>> EconomyJournal::find_players(std::string text, std::int64_t limit) {
  co_return co_await sql_.read([text = std::move(text), limit](sql::Session& session) {
    return economy::find_players(session, text, limit);
  });
}

}  // namespace larder::economy
