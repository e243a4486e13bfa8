#include "systems/economy/economy_players.hpp"

#include "base/json.hpp"
#include "systems/economy/economy_journal.hpp"

#include <fmt/format.h>

#include <map>

namespace larder::economy {

namespace {

constexpr std::size_t name_key_bytes_max = 256;
constexpr std::string_view name_field = ".";  // of a state: the display name; see realm.lua
constexpr std::string_view after_all_others = "\xF4\x8F\xBF\xBF";  // no character comes after it

// What the table has to compare names with: small letters instead of A to Z. A long name is cut.
std::string name_key_of(std::string_view name) {
  std::string key(name);
  std::ranges::transform(key, key.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return std::string(clip(key, name_key_bytes_max));
}

struct NewName {
  std::string name;  // empty: the player has none any more
  std::int64_t ms = 0;
  std::int64_t sequence = 0;
};

std::optional<std::string> name_in_state(std::string const& state) {
  if (state.empty()) return std::nullopt;
  auto const parsed = parse_json(state);
  auto const* const object = parsed ? parsed->if_object() : nullptr;
  auto const* const name = object ? object->if_contains(name_field) : nullptr;
  if (!name || !name->is_string()) return std::nullopt;
  return std::string(clip({name->get_string().data(), name->get_string().size()}, name_key_bytes_max));
}

bool is_player(std::string const& id) {
  auto const user = UserId::from(id);
  return user && !problem_of_player(*user);
}

void set_name(sql::Session& session, std::string const& realm, std::string const& id, NewName const& name) {
  session.execute(
      "UPDATE economy_player SET name = ?, name_key = ?, name_ms = ?, name_seq = ? WHERE realm = ? AND "
      "user_id = ? AND (name_ms < ? OR (name_ms = ? AND name_seq < ?))",
      {name.name, name_key_of(name.name), name.ms, name.sequence, realm, id, name.ms, name.ms,
       name.sequence});
}

void add_players(sql::Session& session, std::string const& realm, std::vector<std::string> const& ids) {
  std::vector<sql::Values> rows;
  for (auto const& id : ids)
    rows.push_back({realm, id, std::string(), std::string(), std::int64_t(0), std::int64_t(0)});
  session.bulk_insert("economy_player", {"realm", "user_id", "name", "name_key", "name_ms", "name_seq"}, rows,
                      sql::OnConflict::ignore);
}

std::vector<PlayerLine> read_lines(std::vector<sql::Row> const& rows) {
  std::vector<PlayerLine> lines;
  for (auto const& row : rows) {
    auto name = row.text(2);
    lines.push_back({.realm = row.text(0),
                     .id = row.text(1),
                     .name = name.empty() ? std::nullopt : std::optional(std::move(name))});
  }
  return lines;
}

// Puts the first realm after `realm` into it. False: there is none.
bool find_next_realm(sql::Session& session, std::string& realm) {
  auto const rows = session.query("SELECT MIN(realm) FROM economy_player WHERE realm > ?", {realm});
  auto const next = rows.empty() ? std::nullopt : rows[0].optional_text(0);
  if (next) realm = *next;
  return next.has_value();
}

// Gives these players the names in their states. `params`: the realm, then the players.
void take_names(sql::Session& session, std::string const& realm, std::string const& marks,
                sql::Values const& params) {
  auto const states = session.query(
      fmt::format(
          "SELECT user_id, event_ms, event_seq, state FROM economy_state WHERE realm = ? AND user_id IN ({})",
          marks),
      params);
  for (auto const& row : states) {
    auto name = name_in_state(row.text(3));
    if (!name) continue;
    set_name(session, realm, row.text(0),
             {.name = std::move(*name), .ms = row.int64(1), .sequence = row.int64(2)});
  }
}

// Gives the players after the player `last` the names in their states, a hundred at once. False: there were
// none.
bool name_some(sql::Session& session, std::string const& realm, std::string& last) {
  auto const players = session.query(
      "SELECT user_id FROM economy_player WHERE realm = ? AND user_id > ? ORDER BY user_id LIMIT 100",
      {realm, last});
  if (players.empty()) return false;
  last = players.back().text(0);
  std::string marks;
  sql::Values params{realm};
  for (auto const& row : players) {
    marks += marks.empty() ? "?" : ", ?";
    params.emplace_back(row.text(0));
  }
  take_names(session, realm, marks, params);
  return true;
}

constexpr std::string_view line_columns = "SELECT realm, user_id, name FROM economy_player";

}  // namespace

std::vector<std::string> player_table(sql::Dialect dialect) {
  std::string_view const bytes = dialect == sql::Dialect::postgresql ? R"( COLLATE "C")" : "";
  return {
      fmt::format("CREATE TABLE IF NOT EXISTS economy_player (realm VARCHAR(64) NOT NULL, user_id "
                  "VARCHAR(64){0} NOT NULL, name VARCHAR(256) NOT NULL, name_key VARCHAR(256){0} NOT NULL, "
                  "name_ms BIGINT NOT NULL, name_seq BIGINT NOT NULL, PRIMARY KEY (realm, user_id)) "
                  "{{table_options}} {1}",
                  bytes, dialect == sql::Dialect::sqlite ? "WITHOUT ROWID" : ""),
      "CREATE INDEX IF NOT EXISTS economy_player_in_realm ON economy_player (realm, name_key, user_id)",
      "CREATE INDEX IF NOT EXISTS economy_player_by_name ON economy_player (name_key)",
      "CREATE INDEX IF NOT EXISTS economy_player_by_id ON economy_player (user_id)",
      "INSERT INTO economy_player (realm, user_id, name, name_key, name_ms, name_seq) "
      "SELECT DISTINCT realm, user_id, '', '', 0, 0 FROM economy_event WHERE user_id <> ''"};
}

void name_players(sql::Database& sql) {
  constexpr std::string_view component = "economy_names";
  auto const done = sql.read_now([&](sql::Session& session) {
    return session.query("SELECT version FROM schema_migration WHERE component = ?",
                         {std::string(component)});
  });
  if (!done.empty()) return;
  std::string realm;
  while (sql.read_now([&](sql::Session& session) { return find_next_realm(session, realm); })) {
    std::string last;
    while (sql.write_now([&](sql::Session& session) { return name_some(session, realm, last); })) {}
  }
  std::vector<sql::Migration> const mark{{.version = 1, .name = "names of players", .statements = {}}};
  sql::migrate(sql, component, mark);
}

void note_players(sql::Session& session, RealmId const& realm, std::span<EconomyEvent const> events) {
  std::map<std::string, std::optional<NewName>> players;
  for (auto const& event : events) {
    if (!is_player(event.user_id)) continue;
    auto& newest = players[event.user_id];
    if (auto name = name_in_state(event.state))
      newest = NewName{.name = std::move(*name), .ms = event.ms, .sequence = event.sequence};
  }
  if (players.empty()) return;
  std::vector<std::string> ids;
  for (auto const& [id, name] : players) ids.push_back(id);
  add_players(session, realm.str(), ids);
  for (auto const& [id, name] : players) {
    if (name) set_name(session, realm.str(), id, *name);
  }
}

std::vector<PlayerLine> list_players(sql::Session& session, RealmId const& realm, PlayersQuery const& query) {
  auto const& id = realm.str();
  if (query.prefix.empty()) {
    return read_lines(
        session.query(fmt::format("{} WHERE realm = ? AND user_id > ? ORDER BY user_id LIMIT {}",
                                  line_columns, query.limit),
                      {id, query.after}));
  }
  auto const from = name_key_of(query.prefix);
  if (from.empty()) return {};
  auto const end = from + std::string(after_all_others);
  auto sql = fmt::format("{} WHERE realm = ? AND name_key >= ? AND name_key < ?", line_columns);
  sql::Values params{id, from, end};
  if (!query.after.empty()) {
    auto const last = session.query("SELECT name_key FROM economy_player WHERE realm = ? AND user_id = ?",
                                    {id, query.after});
    if (last.empty()) return {};
    sql += " AND name_key >= ? AND (name_key > ? OR user_id > ?)";
    params.insert(params.end(), {last[0].text(0), last[0].text(0), query.after});
  }
  sql += fmt::format(" ORDER BY name_key, user_id LIMIT {}", query.limit);
  return read_lines(session.query(sql, params));
}

std::vector<PlayerLine> find_players(sql::Session& session, std::string const& text, std::int64_t limit) {
  auto found = read_lines(session.query(
      fmt::format("{} WHERE user_id = ? ORDER BY realm LIMIT {}", line_columns, limit), {text}));
  auto const from = name_key_of(text);
  if (from.empty()) return found;
  auto by_name = read_lines(session.query(
      fmt::format("{} WHERE name_key >= ? AND name_key < ? ORDER BY name_key LIMIT {}", line_columns, limit),
      {from, from + std::string(after_all_others)}));
  std::erase_if(by_name, [&](PlayerLine const& line) { return line.id == text; });
  std::ranges::move(by_name, std::back_inserter(found));
  return found;
}

void renew_player(sql::Session& session, RealmId const& realm, UserId const& user) {
  sql::Values const params{realm.str(), user.str()};
  session.execute("DELETE FROM economy_player WHERE realm = ? AND user_id = ?", params);
  for (std::string_view const table : {"economy_event", "economy_state"}) {
    auto const any =
        session.query(fmt::format("SELECT 1 FROM {} WHERE realm = ? AND user_id = ? LIMIT 1", table), params);
    if (any.empty()) continue;
    add_players(session, realm.str(), {user.str()});
    take_names(session, realm.str(), "?", params);
    return;
  }
}

bool forget_some_players(sql::Session& session, RealmId const& realm, std::int64_t count) {
  auto const rows = session.query(
      fmt::format(
          "SELECT user_id FROM economy_player WHERE realm = ? AND NOT EXISTS (SELECT 1 FROM "
          "economy_event WHERE economy_event.realm = economy_player.realm AND economy_event.user_id = "
          "economy_player.user_id) AND NOT EXISTS (SELECT 1 FROM economy_state WHERE "
          "economy_state.realm = economy_player.realm AND economy_state.user_id = "
          "economy_player.user_id) ORDER BY user_id LIMIT {}",
          count),
      {realm.str()});
  std::string marks;
  sql::Values params{realm.str()};
  for (auto const& row : rows) {
    marks += marks.empty() ? "?" : ", ?";
    params.emplace_back(row.text(0));
  }
  if (!rows.empty())
    session.execute(fmt::format("DELETE FROM economy_player WHERE realm = ? AND user_id IN ({})", marks),
                    params);
  return std::int64_t(rows.size()) == count;
}

}  // namespace larder::economy
