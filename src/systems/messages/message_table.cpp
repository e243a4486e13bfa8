#include "systems/messages/message_table.hpp"

#include "stores/sql/migrations.hpp"

#include <fmt/format.h>

namespace larder::messages {

namespace {

constexpr std::string_view columns =
    "id, text, author_id, target_id, active, tokens, seconds, continuous, created_at_ms, changed_at_ms, "
    "version";

std::vector<sql::Migration> const migrations = {
    {.version = 1,
     .name = "messages",
     .statements = {
         "CREATE TABLE IF NOT EXISTS message ("
         "id {id}, text {text} NOT NULL, author_id VARCHAR(64) NOT NULL, target_id VARCHAR(64) NOT NULL, "
         "active BIGINT NOT NULL, tokens BIGINT NOT NULL, seconds BIGINT NOT NULL, continuous BIGINT NOT "
         "NULL, created_at_ms BIGINT NOT NULL, changed_at_ms BIGINT NOT NULL, version BIGINT NOT NULL) "
         "{table_options}",
         "CREATE INDEX IF NOT EXISTS message_of_target ON message (target_id, id)",
         "CREATE TABLE IF NOT EXISTS message_user ("
         "user_id VARCHAR(64) NOT NULL PRIMARY KEY, version BIGINT NOT NULL) {table_options}",
         "CREATE INDEX IF NOT EXISTS message_user_version ON message_user (version)",
         "CREATE TABLE IF NOT EXISTS message_clock ("
         "name VARCHAR(16) NOT NULL PRIMARY KEY, version BIGINT NOT NULL) {table_options}"}}};

Message read_message(sql::Row const& row) {
  return {.id = row.int64(0),
          .text = row.text(1),
          .author = UserId::from(row.text(2)).value(),
          .target = UserId::from(row.text(3)).value(),
          .active = row.int64(4) == 1,
          .rule = {.tokens = row.int64(5),
                   .seconds = row.int64(6),
                   .refill = row.int64(7) == 1 ? limiter::Refill::continuous : limiter::Refill::interval},
          .created_at = {row.int64(8)},
          .changed_at = {row.int64(9)},
          .version = row.int64(10)};
}

std::optional<Message> find_message(sql::Session& session, MessageId id) {
  auto const rows = session.query(fmt::format("SELECT {} FROM message WHERE id = ?", columns), {id});
  if (rows.empty()) return std::nullopt;
  return read_message(rows[0]);
}

// The message, which nobody else can change until this transaction is over. next_version() makes ALL other
// changes wait, so it comes as late as possible: a message that somebody keeps locked holds up only its own
// changes.
std::optional<Message> lock_message(sql::Session& session, MessageId id) {
  session.execute("UPDATE message SET version = version WHERE id = ?", {id});
  return find_message(session, id);
}

// A version is at least the time in microseconds. So a database that was restored from a copy does not give a
// version again that Redis has already seen.
std::int64_t next_version(sql::Session& session, TimeMs now) {
  auto const least = now.value * 1000;
  session.execute(
      "UPDATE message_clock SET version = CASE WHEN version < ? THEN ? ELSE version + 1 END "
      "WHERE name = 'messages'",
      {least, least});
  return session.query("SELECT version FROM message_clock WHERE name = 'messages'").at(0).int64(0);
}

UserVersion touch_user(sql::Session& session, UserId const& user, std::int64_t version) {
  auto const rows = session.query("SELECT version FROM message_user WHERE user_id = ?", {user.str()});
  if (rows.empty()) {
    session.execute("INSERT INTO message_user (user_id, version) VALUES (?, ?)", {user.str(), version});
    return {.user = user, .before = 0, .version = version};
  }
  session.execute("UPDATE message_user SET version = ? WHERE user_id = ?", {version, user.str()});
  return {.user = user, .before = rows[0].int64(0), .version = version};
}

// The values in the order of the columns, without the id.
sql::Values values_of(Message const& message) {
  return {message.text,
          message.author.str(),
          message.target.str(),
          std::int64_t(message.active),
          message.rule.tokens,
          message.rule.seconds,
          std::int64_t(message.rule.refill == limiter::Refill::continuous),
          message.created_at.value,
          message.changed_at.value,
          message.version};
}

std::unexpected<Error> not_found() { return refuse(errors::message_not_found, "there is no such message"); }

}  // namespace

void MessageTable::migrate_now() {
  sql::migrate(sql_, "messages", migrations);
  sql_.write_now([](sql::Session& session) {
    std::vector<sql::Values> const rows = {{std::string("messages"), std::int64_t(0)}};
    session.bulk_insert("message_clock", {"name", "version"}, rows, sql::OnConflict::ignore);
  });
}

Task<Changed> MessageTable::create(NewMessage message, TimeMs now) {
  return sql_.write([message = std::move(message), now](sql::Session& session) {
    Message made{.text = message.text,
                 .author = message.author,
                 .target = message.target,
                 .active = message.active,
                 .rule = message.rule,
                 .created_at = now,
                 .changed_at = now,
                 .version = next_version(session, now)};
    made.id = session.insert_returning_id(
        "INSERT INTO message (text, author_id, target_id, active, tokens, seconds, continuous, "
        "created_at_ms, changed_at_ms, version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        values_of(made));
    return Changed{.is = made, .users = {touch_user(session, made.target, made.version)}};
  });
}

Task<Result<Changed>> MessageTable::change(MessageId id, MessageChange change, TimeMs now) {
  return sql_.write([id, change = std::move(change), now](sql::Session& session) -> Result<Changed> {
    auto was = lock_message(session, id);
    if (!was) return not_found();
    auto is = *was;
    is.text = change.text.value_or(is.text);
    is.author = change.author.value_or(is.author);
    is.target = change.target.value_or(is.target);
    is.active = change.active.value_or(is.active);
    is.rule = {.tokens = change.tokens.value_or(is.rule.tokens),
               .seconds = change.seconds.value_or(is.rule.seconds),
               .refill = change.refill.value_or(is.rule.refill)};
    if (is == *was) return Changed{.was = std::move(was), .is = std::move(is)};
    is.changed_at = now;
    is.version = next_version(session, now);
    auto values = values_of(is);
    values.emplace_back(id);
    session.execute(
        "UPDATE message SET text = ?, author_id = ?, target_id = ?, active = ?, tokens = ?, seconds = ?, "
        "continuous = ?, created_at_ms = ?, changed_at_ms = ?, version = ? WHERE id = ?",
        values);
    Changed changed{.was = std::move(was), .is = std::move(is)};
    changed.users.push_back(touch_user(session, changed.is->target, changed.is->version));
    if (changed.was->target != changed.is->target) {
      // The second user gets its own version. If both had the same, a page of changed_users() could end
      // between them and skip one.
      changed.users.push_back(touch_user(session, changed.was->target, next_version(session, now)));
    }
    return changed;
  });
}

Task<Result<Changed>> MessageTable::remove(MessageId id, TimeMs now) {
  return sql_.write([id, now](sql::Session& session) -> Result<Changed> {
    auto was = lock_message(session, id);
    if (!was) return not_found();
    auto const version = next_version(session, now);
    session.execute("DELETE FROM message WHERE id = ?", {id});
    auto const target = was->target;
    return Changed{.was = std::move(was), .users = {touch_user(session, target, version)}};
  });
}

Task<std::optional<Message>> MessageTable::find(MessageId id) {
  return sql_.read([id](sql::Session& session) { return find_message(session, id); });
}

Task<std::vector<Message>> MessageTable::list(MessageQuery query) {
  auto const of_target = query.target ? "target_id = ? AND " : "";
  auto const sql = fmt::format("SELECT {} FROM message WHERE {}id > ? ORDER BY id LIMIT {}", columns,
                               of_target, query.limit);
  sql::Values params;
  if (query.target) params.emplace_back(query.target->str());
  params.emplace_back(query.after);
  auto const rows =
      co_await sql_.read([sql, params](sql::Session& session) { return session.query(sql, params); });
  std::vector<Message> messages;
  messages.reserve(rows.size());
  for (auto const& row : rows) messages.push_back(read_message(row));
  co_return messages;
}

Task<std::int64_t> MessageTable::version_of(UserId user) {
  auto const rows = co_await sql_.read([user = user.str()](sql::Session& session) {
    return session.query("SELECT version FROM message_user WHERE user_id = ?", {user});
  });
  co_return rows.empty() ? 0 : rows[0].int64(0);
}

Task<std::int64_t> MessageTable::newest_version() {
  auto const rows = co_await sql_.read([](sql::Session& session) {
    return session.query("SELECT version FROM message_clock WHERE name = 'messages'");
  });
  co_return rows.at(0).int64(0);
}

Task<std::vector<UserVersion>> MessageTable::changed_users(std::int64_t after, std::int64_t last,
                                                           std::int64_t limit) {
  auto const sql = fmt::format(
      "SELECT user_id, version FROM message_user WHERE version > ? AND version <= ? ORDER BY version LIMIT "
      "{}",
      limit);
  auto const rows = co_await sql_.read(
      [sql, after, last](sql::Session& session) { return session.query(sql, {after, last}); });
  std::vector<UserVersion> users;
  for (auto const& row : rows) {
    users.push_back({.user = UserId::from(row.text(0)).value(), .version = row.int64(1)});
  }
  co_return users;
}

Task<void> MessageTable::forget_user(UserVersion user) {
  auto const others = co_await sql_.read([id = user.user.str()](sql::Session& session) {
    return session.query("SELECT id FROM message WHERE target_id = ? LIMIT 1", {id});
  });
  if (!others.empty()) co_return;
  co_await sql_.write([user = std::move(user)](sql::Session& session) {
    // While this row is locked, nobody can create a message for this user.
    session.execute("UPDATE message_clock SET version = version WHERE name = 'messages'");
    session.execute(
        "DELETE FROM message_user WHERE user_id = ? AND version = ? AND NOT EXISTS "
        "(SELECT 1 FROM message WHERE target_id = ?)",
        {user.user.str(), user.version, user.user.str()});
  });
}

}  // namespace larder::messages
