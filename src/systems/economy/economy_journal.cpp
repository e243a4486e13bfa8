#include "systems/economy/economy_journal.hpp"

#include "base/json.hpp"
#include "base/number.hpp"
#include "stores/sql/migrations.hpp"
#include "systems/economy/economy_players.hpp"
#include "systems/economy/realm.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::economy {

namespace {

constexpr std::string_view columns =
    "of_items, event_ms, event_seq, version, type, user_id, guild_id, item, amount, detail";

// The primary key keeps the events of a player together. The events of a realm have their own index.
std::vector<sql::Migration> migrations(sql::Dialect dialect) {
  return {
      {.version = 1,
       .name = "events",
       .statements =
           {fmt::format(
                "CREATE TABLE IF NOT EXISTS economy_event ("
                "realm VARCHAR(64) NOT NULL, user_id VARCHAR(64) NOT NULL, event_ms BIGINT NOT NULL, "
                "event_seq BIGINT NOT NULL, of_items BIGINT NOT NULL, version BIGINT NOT NULL, "
                "type VARCHAR(64) NOT NULL, guild_id VARCHAR(64) NOT NULL, item VARCHAR(64) NOT NULL, "
                "amount BIGINT NOT NULL, detail {{text}}, "
                "PRIMARY KEY (realm, user_id, event_ms, event_seq, of_items)) {{table_options}} {}",
                dialect == sql::Dialect::sqlite ? "WITHOUT ROWID" : ""),
            "CREATE INDEX IF NOT EXISTS economy_event_of_realm ON economy_event "
            "(realm, event_ms, event_seq, of_items)"}},
      {.version = 2,
       .name = "state",
       .statements =
           {fmt::format("CREATE TABLE IF NOT EXISTS economy_state ("
                        "realm VARCHAR(64) NOT NULL, user_id VARCHAR(64) NOT NULL, event_ms BIGINT NOT NULL, "
                        "event_seq BIGINT NOT NULL, state {{text}} NOT NULL, "
                        "PRIMARY KEY (realm, user_id, event_ms, event_seq)) {{table_options}} {}",
                        dialect == sql::Dialect::sqlite ? "WITHOUT ROWID" : ""),
            "CREATE INDEX IF NOT EXISTS economy_state_of_realm ON economy_state "
            "(realm, event_ms, event_seq)"}},
      {.version = 3, .name = "players", .statements = player_table(dialect)}};
}

// Whether a text column of every supported database can store the text.
bool is_text(std::string_view text, std::size_t chars_max) {
  if (text.size() <= chars_max && std::ranges::all_of(text, [](char c) { return c >= ' ' && c < '\x7f'; }))
    return true;
  std::string quoted;
  append_json_string(quoted, text);
  return text.find('\0') == std::string_view::npos && parse_json(quoted) && count_chars(text) <= chars_max;
}

UserId const no_guild = UserId::from("0").value();
constexpr std::size_t chars_max = 64;
constexpr std::size_t detail_chars_max = 1024;
constexpr std::size_t state_chars_max = 16'000'000;  // a whole catalogue

// Whether a field has its own column. In an event of points, the field item only says
// what the points were for.
bool has_column(EconomyEvent::Of of, std::string_view field) {
  if (field == "version" || field == "type" || field == "user_id" || field == "guild_id") return true;
  return of == EconomyEvent::Of::items ? field == "item" || field == "quantity" : field == "amount";
}

bool tells_state(std::string_view field) { return field.starts_with('.'); }

// The fields for which `wanted` is true, as a JSON object; empty if there are none.
template <class F>
std::string to_object(events::Event const& event, std::size_t value_chars_max, F wanted) {
  std::string object;
  for (auto const& [name, value] : event.fields) {
    if (!wanted(name) || !is_text(name, detail_chars_max) || !is_text(value, value_chars_max)) continue;
    object += object.empty() ? "{" : ",";
    append_json_string(object, name);
    object += ':';
    append_json_string(object, value);
  }
  return object.empty() ? object : object + "}";
}

// Selects the events of a realm up to a given event.
constexpr std::string_view is_up_to =
    "realm = ? AND of_items = ? AND (event_ms < ? OR (event_ms = ? AND event_seq <= ?))";
sql::Values up_to(RealmId const& realm, EconomyEvent::Of of, std::string const& last) {
  auto const [ms, sequence] = events::parse_id(last);
  return {realm.str(), std::int64_t(of == EconomyEvent::Of::items), ms, ms, sequence};
}

// Returns "?, ?, ?", and appends the users to the parameters.
std::string marks_for(std::vector<std::string> const& users, sql::Values& params) {
  std::string marks;
  for (auto const& user : users) {
    marks += marks.empty() ? "?" : ", ?";
    params.emplace_back(user);
  }
  return marks;
}

EconomyEvent read_event(sql::Row const& row) {
  return {.of = row.int64(0) == 1 ? EconomyEvent::Of::items : EconomyEvent::Of::points,
          .ms = row.int64(1),
          .sequence = row.int64(2),
          .version = row.int64(3),
          .type = row.text(4),
          .user_id = row.text(5),
          .guild_id = row.text(6),
          .item = row.text(7),
          .amount = row.int64(8),
          .detail = row.optional_text(9).value_or("")};
}

}  // namespace

// load_catalogue.lua decides in the same way which events count.
EconomyEvent to_economy_event(EconomyEvent::Of of, events::Event const& event) {
  auto const [ms, sequence] = events::parse_id(event.id);
  auto const field = [&](std::string_view name) {
    auto const* const value = event.find(name);
    return value ? std::string_view(*value) : std::string_view();
  };
  bool const items = of == EconomyEvent::Of::items;
  auto const amount = parse_int(field(items ? "quantity" : "amount"));
  auto const user = UserId::from(field("user_id"));
  auto const item = items ? field("item") : std::string_view();
  if (!amount || *amount > limits::amount_max || *amount < -limits::amount_max || !user ||
      (items && (item.empty() || !is_text(item, chars_max)))) {
    return {.of = of, .ms = ms, .sequence = sequence, .type = "unreadable", .guild_id = "0"};
  }
  auto const type = field("type");
  auto const tells = [&](std::string_view name) { return !items && tells_state(name); };
  return {.of = of,
          .ms = ms,
          .sequence = sequence,
          .version = parse_int(field("version")).value_or(0),
          .type = type.empty() || !is_text(type, chars_max) ? "unknown" : std::string(type),
          .user_id = user->str(),
          .guild_id = UserId::from(field("guild_id")).value_or(no_guild).str(),
          .item = std::string(item),
          .amount = *amount,
          .detail = to_object(event, detail_chars_max,
                              [&](std::string_view name) { return !has_column(of, name) && !tells(name); }),
          .state = to_object(event, state_chars_max, tells)};
}

std::string EconomyEvent::id() const {
  return fmt::format("{}-{}{}", ms, sequence, of == Of::items ? "-i" : "");
}

void EconomyJournal::migrate_now() {
  sql::migrate(sql_, "economy", migrations(sql_.dialect()));
  name_players(sql_);
  events::migrate_positions(sql_);
}

void EconomyJournal::write_events(sql::Session& session, RealmId const& realm, EconomyEvent::Of of,
                                  std::span<events::Event const> events) {
  std::vector<sql::Values> rows;
  std::vector<sql::Values> states;
  rows.reserve(events.size());
  std::vector<EconomyEvent> all;
  for (auto const& event : events) all.push_back(to_economy_event(of, event));
  note_players(session, realm, all);
  for (auto& made : all) {
    if (!made.state.empty())
      states.push_back({realm.str(), made.user_id, made.ms, made.sequence, std::move(made.state)});
    if (of == EconomyEvent::Of::points && made.type == state_type) continue;
    rows.push_back({realm.str(), std::move(made.user_id), made.ms, made.sequence,
                    std::int64_t(of == EconomyEvent::Of::items), made.version, std::move(made.type),
                    std::move(made.guild_id), std::move(made.item), made.amount,
                    made.detail.empty() ? sql::Value(nullptr) : sql::Value(std::move(made.detail))});
  }
  session.bulk_insert("economy_event",
                      {"realm", "user_id", "event_ms", "event_seq", "of_items", "version", "type", "guild_id",
                       "item", "amount", "detail"},
                      rows, sql::OnConflict::ignore);
  session.bulk_insert("economy_state", {"realm", "user_id", "event_ms", "event_seq", "state"}, states,
                      sql::OnConflict::ignore);
}

Task<std::vector<EconomyEvent>> EconomyJournal::events(RealmId realm, EventQuery query) {
  std::string sql = fmt::format("SELECT {} FROM economy_event WHERE realm = ?", columns);
  sql::Values params{realm.str()};
  auto const where = [&](std::string_view condition, sql::Value value) {
    sql += fmt::format(" AND {} ?", condition);
    params.push_back(std::move(value));
  };
  if (query.user) where("user_id =", query.user->str());
  if (query.type) where("type =", *query.type);
  if (query.before) {
    auto const& [ms, sequence, of] = *query.before;
    where("event_ms <=", ms);
    sql += " AND (event_ms < ? OR event_seq < ? OR (event_seq = ? AND of_items < ?))";
    params.insert(params.end(), {ms, sequence, sequence, std::int64_t(of == EconomyEvent::Of::items)});
  }
  sql += fmt::format(" ORDER BY event_ms DESC, event_seq DESC, of_items DESC LIMIT {}", query.limit);
  auto const rows =
      co_await sql_.read([sql, params](sql::Session& session) { return session.query(sql, params); });
  std::vector<EconomyEvent> events;
  events.reserve(rows.size());
  for (auto const& row : rows) events.push_back(read_event(row));
  co_return events;
}

Task<events::Positions> EconomyJournal::positions(RealmId realm) {
  RealmKeys const keys(realm);
  std::vector<std::string> const outboxes{keys.points(), keys.items()};
  co_return co_await sql_.read(
      [outboxes](sql::Session& session) { return events::read_positions(session, outboxes); });
}

Task<void> EconomyJournal::begin_positions(RealmId realm) {
  RealmKeys const keys(realm);
  if ((co_await positions(realm)).size() == 2) co_return;
  events::Positions const newest{
      {keys.points(), redis::parse_stream_id(co_await this->newest(realm, EconomyEvent::Of::points))},
      {keys.items(), redis::parse_stream_id(co_await this->newest(realm, EconomyEvent::Of::items))}};
  co_await sql_.write([newest](sql::Session& session) { events::add_positions(session, newest); });
}

Task<std::string> EconomyJournal::open_outboxes(redis::Redis& redis, RealmId realm) {
  RealmKeys const keys(realm);
  co_await begin_positions(realm);
  for (auto const& standing : co_await events::open_outboxes(redis, sql_, {keys.points(), keys.items()})) {
    if (!standing.good()) co_return standing.why();
  }
  co_return std::string();
}

Task<std::vector<RealmId>> EconomyJournal::realms() {
  // One step in the primary keys for each realm, however many events there are.
  std::vector<RealmId> realms;
  for (std::string last;;) {
    auto const rows = co_await sql_.read([last](sql::Session& session) {
      return session.query(
          "SELECT MIN(realm) FROM (SELECT MIN(realm) AS realm FROM economy_event WHERE realm > ? "
          "UNION ALL SELECT MIN(realm) AS realm FROM economy_state WHERE realm > ?) AS next_ones",
          {last, last});
    });
    if (rows.empty() || !rows[0].optional_text(0)) co_return realms;
    last = rows[0].text(0);
    realms.push_back(RealmId::from(last).value());
  }
}

Task<std::vector<std::string>> EconomyJournal::users(RealmId realm, std::string after, std::int64_t limit,
                                                     Users with) {
  auto const sql =
      fmt::format("SELECT DISTINCT user_id FROM {} WHERE realm = ? AND user_id > ? ORDER BY user_id LIMIT {}",
                  with == Users::with_state ? "economy_state" : "economy_event", limit);
  auto const rows =
      co_await sql_.read([sql, realm = realm.str(), after = std::move(after)](sql::Session& session) {
        return session.query(sql, {realm, after});
      });
  std::vector<std::string> users;
  for (auto const& row : rows) users.push_back(row.text(0));
  co_return users;
}

Task<std::map<std::string, Owned>> EconomyJournal::owned(RealmId realm, std::vector<std::string> users,
                                                         std::string last_points, std::string last_items) {
  std::map<std::string, Owned> owned;
  if (users.empty()) co_return owned;
  for (auto const of : {EconomyEvent::Of::points, EconomyEvent::Of::items}) {
    bool const items = of == EconomyEvent::Of::items;
    auto params = up_to(realm, of, items ? last_items : last_points);
    auto const sql = fmt::format(
        "SELECT user_id, item, SUM(amount), MAX(CASE WHEN amount <> 0 THEN 1 ELSE 0 END) FROM economy_event "
        "WHERE {} AND user_id IN ({}) GROUP BY user_id, item",
        is_up_to, marks_for(users, params));
    auto const rows =
        co_await sql_.read([sql, params](sql::Session& session) { return session.query(sql, params); });
    for (auto const& row : rows) {
      auto& player = owned[row.text(0)];
      (items ? player.inventory[row.text(1)] : player.balance) = row.int64(2);
      player.has_points = player.has_points || (!items && row.int64(3) == 1);
    }
  }
  co_return owned;
}

Task<std::string> EconomyJournal::newest(RealmId realm, EconomyEvent::Of of) {
  bool const items = of == EconomyEvent::Of::items;
  auto const newest = co_await sql_.read([realm = realm.str(), items](sql::Session& session) {
    constexpr std::string_view order = "ORDER BY event_ms DESC, event_seq DESC LIMIT 1";
    std::pair<std::int64_t, std::int64_t> found;
    auto const look = [&](std::vector<sql::Row> const& rows) {
      if (!rows.empty()) found = std::max(found, {rows[0].int64(0), rows[0].int64(1)});
    };
    look(session.query(
        fmt::format("SELECT event_ms, event_seq FROM economy_event WHERE realm = ? AND of_items = ? {}",
                    order),
        {realm, std::int64_t(items)}));
    if (!items) {
      look(session.query(
          fmt::format("SELECT event_ms, event_seq FROM economy_state WHERE realm = ? {}", order), {realm}));
    }
    return found;
  });
  co_return fmt::format("{}-{}", newest.first, newest.second);
}

Task<std::set<std::string>> EconomyJournal::known(RealmId realm, std::vector<std::string> users,
                                                  std::string last_points, std::string last_items) {
  std::set<std::string> known;
  if (users.empty()) co_return known;
  for (auto const of : {EconomyEvent::Of::points, EconomyEvent::Of::items}) {
    auto params = up_to(realm, of, of == EconomyEvent::Of::items ? last_items : last_points);
    auto const sql = fmt::format("SELECT DISTINCT user_id FROM economy_event WHERE {} AND user_id IN ({})",
                                 is_up_to, marks_for(users, params));
    auto const rows =
        co_await sql_.read([sql, params](sql::Session& session) { return session.query(sql, params); });
    for (auto const& row : rows) known.insert(row.text(0));
  }
  co_return known;
}

}  // namespace larder::economy
