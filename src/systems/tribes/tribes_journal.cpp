#include "systems/tribes/tribes_journal.hpp"

#include "base/json.hpp"
#include "base/number.hpp"
#include "kit/events/outbox_positions.hpp"
#include "stores/sql/migrations.hpp"

#include <fmt/format.h>

#include <limits>

namespace larder::tribes {

namespace {

std::vector<sql::Migration> migrations() {
  return {{.version = 1,
           .name = "events, the hall of fame and its standings",
           .statements = {
               "CREATE TABLE IF NOT EXISTS tribes_event ("
               "world VARCHAR(64) NOT NULL, event_ms BIGINT NOT NULL, event_seq BIGINT NOT NULL, "
               "type VARCHAR(32) NOT NULL, user_id VARCHAR(64) NOT NULL, game_ms BIGINT NOT NULL, "
               "data {text} NOT NULL, PRIMARY KEY (world, event_ms, event_seq)) {table_options}",
               "CREATE INDEX IF NOT EXISTS tribes_event_of_user ON tribes_event "
               "(world, user_id, event_ms, event_seq)",
               "CREATE TABLE IF NOT EXISTS tribes_fame ("
               "world VARCHAR(64) NOT NULL, won_ms BIGINT NOT NULL, started_ms BIGINT NOT NULL, "
               "user_id VARCHAR(64) NOT NULL, username VARCHAR(64) NOT NULL, coins BIGINT NOT NULL, "
               "players BIGINT NOT NULL, PRIMARY KEY (won_ms, world)) {table_options}",
               "CREATE TABLE IF NOT EXISTS tribes_standing ("
               "world VARCHAR(64) NOT NULL, won_ms BIGINT NOT NULL, place BIGINT NOT NULL, "
               "user_id VARCHAR(64) NOT NULL, username VARCHAR(64) NOT NULL, coins BIGINT NOT NULL, "
               "x BIGINT NOT NULL, y BIGINT NOT NULL, PRIMARY KEY (world, won_ms, place)) {table_options}"}}};
}

TribesEvent read_event(sql::Row const& row) {
  return {.ms = row.int64(0),
          .sequence = row.int64(1),
          .type = row.text(2),
          .user_id = row.text(3),
          .at = {row.int64(4)},
          .data = row.text(5)};
}

// The event "won" carries what the hall of fame shows.
sql::Values fame_of(WorldId const& world, TribesEvent const& event) {
  auto const data = parse_json(event.data).value();
  ObjectReader in(data);
  constexpr IntRule whole{.min = 0, .max = limits::amount_max};
  auto const won_at = in.required_int("won_at", whole);
  in.optional_int("real_ms", whole);
  auto const started_at = in.required_int("started_at", whole);
  auto const name = in.required_text("username", {.chars_max = 64});
  auto const coins = in.required_int("coins", whole);
  auto const players = in.required_int("players", whole);
  if (auto const problem = in.finish()) throw std::runtime_error(problem->detail);
  return {world.str(), won_at, started_at, event.user_id, name, coins, players};
}

}  // namespace

std::string TribesEvent::id() const { return fmt::format("{}-{}", ms, sequence); }

TribesEvent to_tribes_event(events::Event const& event) {
  auto const [ms, sequence] = events::parse_id(event.id);
  auto const field = [&](std::string_view name) {
    auto const* const value = event.find(name);
    return value ? std::string_view(*value) : std::string_view();
  };
  auto const at = parse_int(field("at"));
  auto const type = field("type");
  auto const user = field("user_id");
  auto const data = parse_json(field("data"));
  bool const readable = at && *at >= 0 && *at <= game_ms_max && !type.empty() && type.size() <= 32 &&
                        all_in_charset(type, "_") && (user.empty() || UserId::from(user)) && data &&
                        data->is_object();
  if (!readable) {
    return {.ms = ms, .sequence = sequence, .type = "unreadable", .user_id = {}, .at = {}, .data = "{}"};
  }
  return {.ms = ms,
          .sequence = sequence,
          .type = std::string(type),
          .user_id = std::string(user),
          .at = {*at},
          .data = std::string(field("data"))};
}

void TribesJournal::migrate_now() {
  sql::migrate(sql_, "tribes", migrations());
  events::migrate_positions(sql_);
}

void TribesJournal::write_events(sql::Session& session, WorldId const& world,
                                 std::span<events::Event const> events) {
  std::vector<sql::Values> rows;
  std::vector<sql::Values> fame;
  rows.reserve(events.size());
  for (auto const& each : events) {
    auto event = to_tribes_event(each);
    if (event.type == "won") fame.push_back(fame_of(world, event));
    rows.push_back({world.str(), event.ms, event.sequence, std::move(event.type), std::move(event.user_id),
                    event.at.value, std::move(event.data)});
  }
  session.bulk_insert("tribes_event",
                      {"world", "event_ms", "event_seq", "type", "user_id", "game_ms", "data"}, rows,
                      sql::OnConflict::ignore);
  if (fame.empty()) return;
  session.bulk_insert("tribes_fame",
                      {"world", "won_ms", "started_ms", "user_id", "username", "coins", "players"}, fame,
                      sql::OnConflict::ignore);
}

Task<void> TribesJournal::write(WorldId world, std::vector<events::Event> events) {
  co_await sql_.write([world = std::move(world), events = std::move(events)](sql::Session& session) {
    write_events(session, world, events);
  });
}

Task<std::vector<TribesEvent>> TribesJournal::events(WorldId world, std::string after, std::int64_t limit) {
  auto const [ms, sequence] = events::parse_id(after);
  auto const rows = co_await sql_.read([=, world = world.str()](sql::Session& session) {
    return session.query(
        fmt::format("SELECT event_ms, event_seq, type, user_id, game_ms, data FROM tribes_event WHERE "
                    "world = ? AND event_ms >= ? AND (event_ms > ? OR event_seq > ?) "
                    "ORDER BY event_ms, event_seq LIMIT {}",
                    limit),
        {world, ms, ms, sequence});
  });
  std::vector<TribesEvent> found;
  for (auto const& row : rows) found.push_back(read_event(row));
  co_return found;
}

Task<std::string> TribesJournal::before_creation(WorldId world) {
  auto const rows = co_await sql_.read([world = world.str()](sql::Session& session) {
    return session.query(
        "SELECT event_ms, event_seq FROM tribes_event WHERE world = ? AND user_id = '' AND type = 'created' "
        "ORDER BY event_ms DESC, event_seq DESC LIMIT 1",
        {world});
  });
  if (rows.empty()) co_return "0-0";
  auto const ms = rows[0].int64(0);
  auto const sequence = rows[0].int64(1);
  co_return sequence > 0 ? fmt::format("{}-{}", ms, sequence - 1)
                         : fmt::format("{}-{}", ms - 1, std::numeric_limits<std::int64_t>::max());
}

Task<std::string> TribesJournal::newest(WorldId world) {
  auto const rows = co_await sql_.read([world = world.str()](sql::Session& session) {
    return session.query(
        "SELECT event_ms, event_seq FROM tribes_event WHERE world = ? ORDER BY event_ms DESC, event_seq DESC "
        "LIMIT 1",
        {world});
  });
  co_return rows.empty() ? "0-0" : fmt::format("{}-{}", rows[0].int64(0), rows[0].int64(1));
}

Task<std::vector<WorldId>> TribesJournal::worlds() {
  // One step in the primary key for each world, however many events there are.
  std::vector<WorldId> worlds;
  for (std::string last;;) {
    auto const rows = co_await sql_.read([last](sql::Session& session) {
      return session.query("SELECT world FROM tribes_event WHERE world > ? ORDER BY world LIMIT 1", {last});
    });
    if (rows.empty()) co_return worlds;
    last = rows[0].text(0);
    worlds.push_back(WorldId::from(last).value());
  }
}

Task<std::vector<std::string>> TribesJournal::lost_lives(WorldId world) {
  auto const rows = co_await sql_.read([world = world.str()](sql::Session& session) {
    return session.query(
        "SELECT event_ms, event_seq, type FROM tribes_event WHERE world = ? AND user_id = '' AND type IN "
        "('created', 'deleted') ORDER BY event_ms, event_seq",
        {world});
  });
  std::vector<std::string> lost;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i - 1].text(2) != "created" || rows[i].text(2) != "created") continue;
    auto const joined = co_await sql_.read(
        [world = world.str(), from = rows[i - 1].int64(0), to = rows[i].int64(0)](sql::Session& session) {
          return session.query(
              "SELECT 1 FROM tribes_event WHERE world = ? AND user_id <> '' AND type = 'joined' AND event_ms "
              ">= ? AND "
              "event_ms < ? LIMIT 1",
              {world, from, to});
        });
    if (!joined.empty()) lost.push_back(fmt::format("{}-{}", rows[i].int64(0), rows[i].int64(1)));
  }
  co_return lost;
}

Task<std::vector<UserId>> TribesJournal::citizens(WorldId world) {
  auto const [ms, sequence] = events::parse_id(co_await before_creation(world));
  auto const rows = co_await sql_.read([ms, sequence, world = world.str()](sql::Session& session) {
    return session.query(
        "SELECT user_id FROM tribes_event WHERE world = ? AND user_id <> '' AND type = 'joined' AND event_ms "
        ">= ? AND "
        "(event_ms > ? OR event_seq > ?)",
        {world, ms, ms, sequence});
  });
  std::vector<UserId> users;
  for (auto const& row : rows) {
    if (auto user = UserId::from(row.text(0))) users.push_back(std::move(*user));
  }
  co_return users;
}

Task<bool> TribesJournal::has_towns(WorldId world) {
  auto const [ms, sequence] = events::parse_id(co_await before_creation(world));
  auto const has = [&](std::string_view type, std::string_view whose) {
    return sql_.read([=, world = world.str()](sql::Session& session) {
      auto const rows = session.query(
          fmt::format(
              "SELECT 1 FROM tribes_event WHERE world = ? AND {} AND type = '{}' AND event_ms >= ? AND "
              "(event_ms > ? OR event_seq > ?) LIMIT 1",
              whose, type),
          {world, ms, ms, sequence});
      return !rows.empty();
    });
  };
  co_return !co_await has("deleted", "user_id = ''") && co_await has("joined", "user_id <> ''");
}

Task<std::vector<Fame>> TribesJournal::hall_of_fame(std::optional<FamePlace> after, std::int64_t limit) {
  auto const ms = after ? after->won_at.value : limits::amount_max;
  auto const world = after ? after->world : std::string();
  auto const rows = co_await sql_.read([=](sql::Session& session) {
    return session.query(
        fmt::format("SELECT world, started_ms, won_ms, user_id, username, coins, players FROM tribes_fame "
                    "WHERE won_ms < ? OR (won_ms = ? AND world > ?) ORDER BY won_ms DESC, world LIMIT {}",
                    limit),
        {ms, ms, world});
  });
  std::vector<Fame> fame;
  for (auto const& row : rows) {
    fame.push_back({.world = WorldId::from(row.text(0)).value(),
                    .started_at = {row.int64(1)},
                    .won_at = {row.int64(2)},
                    .user_id = UserId::from(row.text(3)).value(),
                    .username = row.text(4),
                    .coins = row.int64(5),
                    .players = row.int64(6)});
  }
  co_return fame;
}

Task<void> TribesJournal::archive(WorldId world, TimeMs won_at, std::vector<Standing> standings,
                                  std::optional<UserId> winner) {
  std::vector<sql::Values> rows;
  std::optional<std::int64_t> coins;
  for (auto& standing : standings) {
    if (standing.user_id == winner) coins = standing.coins;
    rows.push_back({world.str(), won_at.value, standing.rank, standing.user_id.str(),
                    std::move(standing.username), standing.coins, std::int64_t(standing.field.x),
                    std::int64_t(standing.field.y)});
  }
  co_await sql_.write([=, rows = std::move(rows)](sql::Session& session) {
    session.bulk_insert("tribes_standing",
                        {"world", "won_ms", "place", "user_id", "username", "coins", "x", "y"}, rows,
                        sql::OnConflict::ignore);
    if (coins) {
      session.execute("UPDATE tribes_fame SET coins = ? WHERE world = ? AND won_ms = ?",
                      {*coins, world.str(), won_at.value});
    }
  });
}

Task<std::vector<Standing>> TribesJournal::standings(WorldId world, TimeMs won_at, std::int64_t after,
                                                     std::int64_t limit) {
  auto const rows = co_await sql_.read([=, world = world.str()](sql::Session& session) {
    return session.query(fmt::format("SELECT place, user_id, username, coins, x, y FROM tribes_standing "
                                     "WHERE world = ? AND won_ms = ? AND place > ? ORDER BY place LIMIT {}",
                                     limit),
                         {world, won_at.value, after});
  });
  std::vector<Standing> standings;
  for (auto const& row : rows) {
    standings.push_back({.rank = row.int64(0),
                         .user_id = UserId::from(row.text(1)).value(),
                         .username = row.text(2),
                         .coins = row.int64(3),
                         .field = {.x = int(row.int64(4)), .y = int(row.int64(5))}});
  }
  co_return standings;
}

// A cluster cannot have the default world. If SQL has one, it is from a time before the cluster.
Task<std::vector<WorldId>> possible_worlds(redis::Redis& redis, TribesJournal& journal) {
  auto worlds = co_await journal.worlds();
  if (redis.is_cluster()) std::erase(worlds, WorldId::from(default_world).value());
  co_return worlds;
}

}  // namespace larder::tribes
