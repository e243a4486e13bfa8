#include "systems/webhooks/webhook_table.hpp"

#include "base/limits.hpp"
#include "base/try.hpp"
#include "stores/sql/migrations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace larder::webhooks {

namespace {

std::vector<sql::Migration> const webhook_migrations = {
    {.version = 1,
     .name = "webhooks",
     .statements = {
         "CREATE TABLE IF NOT EXISTS webhook ("
         "id VARCHAR(32) NOT NULL PRIMARY KEY, url {text} NOT NULL, secret VARCHAR(128) NOT NULL, "
         "systems {text} NOT NULL, types {text} NOT NULL, realms {text} NOT NULL, created_at_ms BIGINT NOT "
         "NULL) "
         "{table_options}",
         "CREATE TABLE IF NOT EXISTS webhook_dead ("
         "webhook_id VARCHAR(32) NOT NULL, n BIGINT NOT NULL, queued_at_ms BIGINT NOT NULL, died_at_ms "
         "BIGINT "
         "NOT NULL, attempts BIGINT NOT NULL, status BIGINT NOT NULL, why {text} NOT NULL, event {text} NOT "
         "NULL, PRIMARY KEY (webhook_id, n)) {table_options}"}}};

constexpr std::string_view webhook_columns = "id, url, secret, systems, types, realms, created_at_ms";

std::string stored_words(Words const& words) { return fmt::format("{}", fmt::join(words, ",")); }

Words read_stored_words(std::string_view list) {
  Words words;
  while (!list.empty()) {
    auto const comma = std::min(list.find(','), list.size());
    words.emplace(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return words;
}

Webhook read_webhook(sql::Row const& row) {
  return {.id = row.text(0),
          .url = row.text(1),
          .secret = row.text(2),
          .filter = {.systems = read_stored_words(row.text(3)),
                     .types = read_stored_words(row.text(4)),
                     .realms = read_stored_words(row.text(5))},
          .created_at = {row.int64(6)}};
}

}  // namespace

void migrate_webhooks(sql::Database& sql) { sql::migrate(sql, "webhooks", webhook_migrations); }

std::vector<Webhook> list_webhooks(sql::Session& session) {
  std::vector<Webhook> webhooks;
  for (auto const& row :
       session.query(fmt::format("SELECT {} FROM webhook ORDER BY created_at_ms, id", webhook_columns)))
    webhooks.push_back(read_webhook(row));
  return webhooks;
}

std::optional<Webhook> find_webhook(sql::Session& session, std::string const& id) {
  auto const rows = session.query(fmt::format("SELECT {} FROM webhook WHERE id = ?", webhook_columns), {id});
  if (rows.empty()) return std::nullopt;
  return read_webhook(rows.front());
}

Result<Webhook> insert_webhook(sql::Session& session, Webhook webhook) {
  auto const count = session.query("SELECT COUNT(*) FROM webhook").at(0).int64(0);
  if (count >= std::int64_t(limits::webhooks_max)) {
    return refuse(errors::too_many_webhooks,
                  fmt::format("there are {} webhooks already; delete one first", count));
  }
  auto const& filter = webhook.filter;
  session.execute(fmt::format("INSERT INTO webhook ({}) VALUES (?, ?, ?, ?, ?, ?, ?)", webhook_columns),
                  {webhook.id, webhook.url, webhook.secret, stored_words(filter.systems),
                   stored_words(filter.types), stored_words(filter.realms), webhook.created_at.value});
  return webhook;
}

Result<Webhook> change_webhook(sql::Session& session, std::string const& id, WebhookChange const& change) {
  // Locks the row until the transaction ends.
  session.execute("UPDATE webhook SET url = url WHERE id = ?", {id});
  auto webhook = find_webhook(session, id);
  if (!webhook) return refuse(errors::webhook_not_found, "there is no such webhook");
  auto& filter = webhook->filter;
  webhook->url = change.url.value_or(webhook->url);
  filter.systems = change.systems.value_or(filter.systems);
  filter.types = change.types.value_or(filter.types);
  filter.realms = change.realms.value_or(filter.realms);
  session.execute("UPDATE webhook SET url = ?, systems = ?, types = ?, realms = ? WHERE id = ?",
                  {webhook->url, stored_words(filter.systems), stored_words(filter.types),
                   stored_words(filter.realms), id});
  return *webhook;
}

bool delete_webhook(sql::Session& session, std::string const& id) {
  session.execute("DELETE FROM webhook_dead WHERE webhook_id = ?", {id});
  return session.execute("DELETE FROM webhook WHERE id = ?", {id}) > 0;
}

void insert_dead(sql::Session& session, std::string const& webhook, std::vector<Delivery> const& dead,
                 TimeMs now) {
  std::vector<sql::Values> rows;
  for (auto const& each : dead) {
    rows.push_back({webhook, each.number, each.queued_at.value, now.value, std::int64_t(each.attempts),
                    std::int64_t(each.status), each.why, each.line});
  }
  session.bulk_insert("webhook_dead",
                      {"webhook_id", "n", "queued_at_ms", "died_at_ms", "attempts", "status", "why", "event"},
                      rows, sql::OnConflict::ignore);
  session.execute("DELETE FROM webhook_dead WHERE webhook_id = ? AND died_at_ms < ?",
                  {webhook, now.value - limits::webhook_dead_kept_ms});
}

std::vector<Delivery> list_dead(sql::Session& session, std::string const& webhook, DeliveryNumber below,
                                std::int64_t limit) {
  std::vector<Delivery> dead;
  auto const rows = session.query(
      fmt::format("SELECT n, queued_at_ms, died_at_ms, attempts, status, why, event FROM webhook_dead "
                  "WHERE webhook_id = ? AND n < ? ORDER BY n DESC LIMIT {}",
                  limit),
      {webhook, below});
  for (auto const& row : rows) {
    dead.push_back({.number = row.int64(0),
                    .state = Delivery::State::dead,
                    .queued_at = {row.int64(1)},
                    .finished_at = TimeMs{row.int64(2)},
                    .attempts = int(row.int64(3)),
                    .status = int(row.int64(4)),
                    .why = row.text(5),
                    .line = row.text(6)});
  }
  return dead;
}

void delete_dead(sql::Session& session, std::string const& webhook, DeliveryNumber number) {
  session.execute("DELETE FROM webhook_dead WHERE webhook_id = ? AND n = ?", {webhook, number});
}

}  // namespace larder::webhooks
