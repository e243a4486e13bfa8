#include "systems/tribes/tribes_privacy.hpp"

#include "base/json.hpp"
#include "kit/events/event_pages.hpp"
#include "kit/events/privacy/traces.hpp"
#include "systems/tribes/tribes_journal.hpp"
#include "systems/tribes/world.hpp"

#include <fmt/format.h>

#include <set>

namespace larder::tribes {

namespace {

constexpr int events_read_at_once = 500;

Task<std::vector<WorldId>> worlds_with_events(redis::Redis& redis, TribesJournal& journal) {
  std::set<WorldId> worlds;
  for (auto& id : co_await journal.worlds()) worlds.insert(std::move(id));
  auto const known = co_await redis.command(redis::Use::read, worlds_key, {"SMEMBERS", worlds_key});
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (auto id = WorldId::from(known.at(i).text())) worlds.insert(std::move(*id));
  }
  co_return std::vector(worlds.begin(), worlds.end());
}

std::vector<sql::Row> events_of(sql::Session& session, WorldId const& world, UserId const& user,
                                std::int64_t ms, std::int64_t sequence) {
  return session.query(
      fmt::format("SELECT event_ms, event_seq, type, game_ms, data FROM tribes_event WHERE world = ? AND "
                  "user_id = ? AND (event_ms > ? OR (event_ms = ? AND event_seq > ?)) ORDER BY event_ms, "
                  "event_seq LIMIT {}",
                  events_read_at_once),
      {world.str(), user.str(), ms, ms, sequence});
}

// Calls `each` with the player's events, in portions.
Task<bool> for_events(sql::Database& sql, WorldId world, UserId user,
                      std::function<Task<void>(std::vector<sql::Row>)> each) {
  bool any = false;
  for (std::int64_t ms = 0, sequence = -1;;) {
    auto rows = co_await sql.read([world, user, ms, sequence](sql::Session& session) {
      return events_of(session, world, user, ms, sequence);
    });
    if (rows.empty()) co_return any;
    any = true;
    ms = rows.back().int64(0);
    sequence = rows.back().int64(1);
    co_await each(std::move(rows));
  }
}

void drop_name(sql::Session& session, WorldId const& world, sql::Row const& row) {
  auto data = parse_json(row.text(4));
  if (!data || !data->is_object()) return;
  auto* const name = data->get_object().if_contains("username");
  if (!name || !name->is_string() || name->get_string().empty()) return;
  *name = "";
  session.execute("UPDATE tribes_event SET data = ? WHERE world = ? AND event_ms = ? AND event_seq = ?",
                  {json::serialize(*data), world.str(), row.int64(0), row.int64(1)});
}

json::object event_json(WorldId const& world, sql::Row const& row) {
  auto data = parse_json(row.text(4));
  return {{"world", world.str()},
          {"id", fmt::format("{}-{}", row.int64(0), row.int64(1))},
          {"type", row.text(2)},
          {"game_ms", row.int64(3)},
          {"data", data ? std::move(*data) : json::value(row.text(4))}};
}

Task<void> export_rows(sql::Database& sql, std::string table, std::string columns, UserId user,
                       std::string section, privacy::ExportTo to) {
  auto const rows = co_await sql.read([=](sql::Session& session) {
    return session.query(fmt::format("SELECT {} FROM {} WHERE user_id = ?", columns, table), {user.str()});
  });
  for (auto const& row : rows) {
    to(section, {{"world", row.text(0)},
                 {"won_at", to_rfc3339({row.int64(1)})},
                 {"username", row.text(2)},
                 {"coins", row.int64(3)}});
  }
}

Task<void> export_world(redis::Redis& redis, WorldId world, UserId user, privacy::ExportTo to) {
  WorldKeys const keys(world);
  auto const town = keys.town(user);
  auto const names = keys.names();
  auto const text = (co_await redis.command(redis::Use::read, town, {"GET", town})).optional_text();
  if (!text) co_return;
  auto const place =
      (co_await redis.command(redis::Use::read, names, {"HGET", names, user.str()})).optional_text();
  auto document = parse_json(*text, {}, {.depth_max = limits::gateway_json_depth_max});
  to("towns", {{"world", world.str()},
               {"place_and_name", place.value_or("")},
               {"town", document ? std::move(*document) : json::value(*text)}});
}

}  // namespace

Task<void> export_user(redis::Redis& redis, sql::Database& sql, UserId user, privacy::ExportTo to) {
  TribesJournal journal(sql);
  auto const worlds = co_await worlds_with_events(redis, journal);
  for (auto const& world : worlds) co_await export_world(redis, world, user, to);
  for (auto const& world : worlds) {
    co_await events::each_event(redis, WorldKeys(world).reports(user), "-", [&](events::Event const& report) {
      json::object fields{{"world", world.str()}, {"id", report.id}};
      for (auto const& [name, value] : report.fields) fields[name] = value;
      to("reports", std::move(fields));
    });
  }
  for (auto const& world : worlds) {
    co_await for_events(sql, world, user, [&](std::vector<sql::Row> rows) -> Task<void> {
      for (auto const& row : rows) to("events", event_json(world, row));
      co_return;
    });
  }
  co_await export_rows(sql, "tribes_fame", "world, won_ms, username, coins", user, "fame", to);
  co_await export_rows(sql, "tribes_standing", "world, won_ms, username, coins", user, "standings", to);
}

Task<bool> forget_user(redis::Redis& redis, sql::Database& sql, UserId user) {
  TribesJournal journal(sql);
  bool any = false;
  for (auto const& world : co_await worlds_with_events(redis, journal)) {
    co_await privacy::journal_all(redis, WorldKeys(world).outbox());
    bool const here = co_await for_events(sql, world, user, [&](std::vector<sql::Row> rows) -> Task<void> {
      co_await sql.write([world, rows = std::move(rows)](sql::Session& session) {
        for (auto const& row : rows) drop_name(session, world, row);
      });
    });
    any = any || here;
  }
  co_await sql.write([user](sql::Session& session) {
    for (std::string_view const table : {"tribes_fame", "tribes_standing"})
      session.execute(fmt::format("UPDATE {} SET username = '' WHERE user_id = ?", table), {user.str()});
  });
  co_return any;
}

}  // namespace larder::tribes
