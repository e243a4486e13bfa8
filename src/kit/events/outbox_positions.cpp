#include "kit/events/outbox_positions.hpp"

#include "base/error.hpp"
#include "base/when_all.hpp"
#include "kit/events/event_pages.hpp"
#include "stores/redis/reply_reader.hpp"
#include "stores/sql/migrations.hpp"

#include <fmt/format.h>

namespace larder::events {

namespace {

constexpr std::size_t rows_at_once = 500;   // parameters of one statement
constexpr std::size_t asked_at_once = 256;  // outboxes

enum class IfNew { leave, create };

template <class F>
void for_each_portion(std::vector<std::string> const& outboxes, F each) {
  for (std::size_t from = 0; from < outboxes.size(); from += rows_at_once) {
    std::string marks;
    sql::Values params;
    for (auto i = from; i < std::min(from + rows_at_once, outboxes.size()); ++i) {
      marks += marks.empty() ? "?" : ", ?";
      params.emplace_back(outboxes[i]);
    }
    each(marks, params);
  }
}

// Compares one outbox with its position in SQL.
class Comparison {
 public:
  Comparison(redis::Redis& redis, sql::Database& sql, std::string outbox, redis::StreamId in_sql,
             IfNew if_new)
      : redis_(redis), sql_(sql), keys_(std::move(outbox)), in_sql_(in_sql), if_new_(if_new) {}

  Task<Standing> run() {
    co_await ask_redis();
    Standing standing;
    if (exists_ && in_redis_ > in_sql_) {
      // A projector may have moved both positions since SQL was asked, that of SQL first. So by now SQL must
      // have come at least to where Redis was.
      auto const was = in_redis_;
      co_await ask_sql();
      if (in_sql_ < was) {
        standing.sql_lacks = fmt::format("{} has reached {}, but SQL has its events only up to {}",
                                         keys_.stream, was.str(), in_sql_.str());
      }
      co_await ask_redis();
    }
    bool const is_known = in_sql_ != redis::StreamId{} || in_redis_ != redis::StreamId{};
    if (!exists_ && is_known) standing.redis_lacks = fmt::format("{} is missing", keys_.stream);
    if (exists_ && in_redis_ < in_sql_ && !has_event_) {
      standing.redis_lacks = fmt::format("{} has reached {}, but SQL has its event {}", keys_.stream,
                                         in_redis_.str(), in_sql_.str());
    }
    standing.exists = exists_;
    standing.projected = in_redis_;
    standing.in_sql = in_sql_;
    co_return standing;
  }

 private:
  Task<void> ask_sql() {
    auto const found = co_await sql_.read(
        [outbox = keys_.stream](sql::Session& session) { return read_positions(session, {outbox}); });
    if (auto const at = found.find(keys_.stream); at != found.end()) in_sql_ = at->second;
  }
  Task<void> ask_redis() {
    auto const use = if_new_ == IfNew::create ? redis::Use::idempotent_write : redis::Use::read;
    auto const reply =
        co_await redis_.run(use, scripts::outbox_open(keys_, in_sql_.str(), if_new_ == IfNew::create));
    redis::ReplyReader in(reply);
    exists_ = in.flag();
    in_redis_ = redis::parse_stream_id(in.text());
    has_event_ = in.flag();
    in.end();
  }

  redis::Redis& redis_;
  sql::Database& sql_;
  OutboxKeys keys_;
  redis::StreamId in_sql_;
  IfNew if_new_;
  bool exists_ = false;
  redis::StreamId in_redis_;
  bool has_event_ = false;
};

Task<Standing> compare_one(redis::Redis& redis, sql::Database& sql, std::string outbox,
                           redis::StreamId in_sql, IfNew if_new) {
  Comparison comparison(redis, sql, std::move(outbox), in_sql, if_new);
  co_return co_await comparison.run();
}

Task<redis::StreamId> position_in_redis(redis::Redis& redis, std::string outbox) {
  OutboxKeys const keys(std::move(outbox));
  auto const found = co_await redis.command(redis::Use::read, keys.stream, {"GET", keys.projected});
  co_return found.is_nil() ? redis::StreamId{} : redis::parse_stream_id(found.text());
}

// Gives outboxes that are new their first position in SQL. If Redis has a position already, it belongs to
// another SQL database.
Task<void> begin_positions(redis::Redis& redis, sql::Database& sql, std::vector<std::string> unknown) {
  Positions begun;
  for (auto const& outbox : unknown) {
    if (co_await position_in_redis(redis, outbox) == redis::StreamId{}) begun[outbox] = {};
  }
  co_await sql.write([begun](sql::Session& session) { add_positions(session, begun); });
}

Task<std::vector<Standing>> compare(redis::Redis& redis, sql::Database& sql,
                                    std::vector<std::string> outboxes, IfNew if_new) {
  auto positions =
      co_await sql.read([outboxes](sql::Session& session) { return read_positions(session, outboxes); });
  std::vector<std::string> unknown;
  for (auto const& outbox : outboxes) {
    if (!positions.contains(outbox)) unknown.push_back(outbox);
  }
  if (if_new == IfNew::create && !unknown.empty()) {
    co_await begin_positions(redis, sql, std::move(unknown));
  }
  std::vector<Standing> standings;
  for (std::size_t from = 0; from < outboxes.size(); from += asked_at_once) {
    std::vector<Task<Standing>> asked;
    for (auto i = from; i < std::min(from + asked_at_once, outboxes.size()); ++i) {
      asked.push_back(compare_one(redis, sql, outboxes[i], positions[outboxes[i]], if_new));
    }
    for (auto& standing : co_await when_all(std::move(asked))) standings.push_back(std::move(standing));
  }
  co_return standings;
}

void refuse_losses(std::vector<Standing> const& standings) {
  for (auto const& standing : standings) {
    if (standing.sql_lacks.empty()) continue;
    throw SetupError(fmt::format(
        "this SQL database lacks what it had: {}. Give the server the newest database", standing.sql_lacks));
  }
  for (auto const& standing : standings) {
    if (standing.redis_lacks.empty()) continue;
    throw LostRedisError(fmt::format(
        "this Redis lacks what SQL has: {}. Give the server the newest Redis; if its data is lost, "
        "empty it and run `larder rebuild`",
        standing.redis_lacks));
  }
}

}  // namespace

void migrate_positions(sql::Database& sql) {
  std::vector<sql::Migration> const migrations = {
      {1,
       "positions of outboxes",
       {"CREATE TABLE IF NOT EXISTS outbox_position (stream VARCHAR(190) NOT NULL PRIMARY KEY, event_ms "
        "BIGINT NOT NULL, event_seq BIGINT NOT NULL) {table_options}"}}};
  sql::migrate(sql, "outboxes", migrations);
}

Positions read_positions(sql::Session& session, std::vector<std::string> const& outboxes) {
  Positions found;
  for_each_portion(outboxes, [&](std::string const& marks, sql::Values const& params) {
    auto const sql =
        fmt::format("SELECT stream, event_ms, event_seq FROM outbox_position WHERE stream IN ({})", marks);
    for (auto const& row : session.query(sql, params)) {
      found[row.text(0)] = {.ms = row.int64(1), .sequence = row.int64(2)};
    }
  });
  return found;
}

std::vector<std::string> known_outboxes(sql::Session& session) {
  std::vector<std::string> found;
  for (auto const& row : session.query("SELECT stream FROM outbox_position ORDER BY stream"))
    found.push_back(row.text(0));
  return found;
}

void add_positions(sql::Session& session, Positions const& positions) {
  std::vector<sql::Values> rows;
  for (auto const& [outbox, at] : positions) rows.push_back({outbox, at.ms, at.sequence});
  session.bulk_insert("outbox_position", {"stream", "event_ms", "event_seq"}, rows, sql::OnConflict::ignore);
}

void raise_positions(sql::Session& session, Positions const& positions) {
  for (auto const& [outbox, at] : positions) {
    session.execute(
        "UPDATE outbox_position SET event_ms = ?, event_seq = ? WHERE stream = ? AND (event_ms < ? OR "
        "(event_ms = ? AND event_seq < ?))",
        {at.ms, at.sequence, outbox, at.ms, at.ms, at.sequence});
  }
}

void forget_positions(sql::Session& session, Positions const& positions) {
  for (auto const& [outbox, at] : positions) {
    if (at == redis::StreamId{}) continue;  // a new outbox would have the same
    session.execute("DELETE FROM outbox_position WHERE stream = ? AND event_ms = ? AND event_seq = ?",
                    {outbox, at.ms, at.sequence});
  }
}

Task<std::vector<Standing>> compare_positions(redis::Redis& redis, sql::Database& sql,
                                              std::vector<std::string> outboxes) {
  return compare(redis, sql, std::move(outboxes), IfNew::leave);
}

Task<std::vector<Standing>> open_outboxes(redis::Redis& redis, sql::Database& sql,
                                          std::vector<std::string> outboxes) {
  return compare(redis, sql, std::move(outboxes), IfNew::create);
}

Task<void> compare_positions_or_refuse(redis::Redis& redis, sql::Database& sql,
                                       std::vector<std::string> outboxes) {
  refuse_losses(co_await compare_positions(redis, sql, std::move(outboxes)));
}

Task<void> open_outboxes_or_refuse(redis::Redis& redis, sql::Database& sql,
                                   std::vector<std::string> outboxes) {
  refuse_losses(co_await open_outboxes(redis, sql, std::move(outboxes)));
}

Task<void> restore_outboxes(redis::Redis& redis, sql::Database& sql, Positions newest) {
  std::vector<std::string> outboxes;
  for (auto const& [outbox, at] : newest) outboxes.push_back(outbox);
  auto const positions = co_await sql.write([newest, outboxes](sql::Session& session) {
    add_positions(session, newest);
    raise_positions(session, newest);
    return read_positions(session, outboxes);
  });
  for (auto const& [outbox, at] : positions) {
    co_await redis::raise_stream(redis, outbox, at);
    if (at == redis::StreamId{}) continue;
    co_await redis.run(redis::Use::idempotent_write, scripts::outbox_raise(OutboxKeys(outbox), at.str()));
  }
}

Task<void> restore_outbox(redis::Redis& redis, sql::Database& sql, std::string outbox,
                          redis::StreamId newest) {
  return restore_outboxes(redis, sql, {{std::move(outbox), newest}});
}

Task<std::int64_t> fence_outbox(redis::Redis& redis, OutboxKeys keys, Standing standing) {
  auto const kept =
      co_await redis.run(redis::Use::idempotent_write, scripts::outbox_fence(keys, standing.projected.str()));
  co_return std::max<std::int64_t>(kept.integer(), 0);
}

Task<std::int64_t> each_lost(redis::Redis& redis, std::string const& outbox,
                             std::function<void(Event)> each) {
  return each_event(redis, OutboxKeys(outbox).lost, "-", [each = std::move(each)](Event event) {
    if (auto& fields = event.fields; !fields.empty() && fields.front().first == "event") {
      event.id = std::move(fields.front().second);
      fields.erase(fields.begin());
    }
    each(std::move(event));
  });
}

}  // namespace larder::events
