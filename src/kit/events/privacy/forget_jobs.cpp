#include "kit/events/privacy/forget_jobs.hpp"

#include "kit/events/privacy/pseudonyms.hpp"
#include "stores/sql/migrations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace larder::privacy {

namespace {

constexpr std::array<std::string_view, 3> state_names{"running", "cleaning", "finished"};
constexpr std::string_view job_columns =
    "pseudonym, user_id, state, done, uncovered, requested_ms, finished_ms";

std::vector<sql::Migration> const migrations = {
    {.version = 1,
     .name = "users who are forgotten",
     .statements = {"CREATE TABLE IF NOT EXISTS privacy_key (name VARCHAR(16) NOT NULL PRIMARY KEY, secret "
                    "VARCHAR(64) NOT NULL, made_ms BIGINT NOT NULL) {table_options}",
                    "CREATE TABLE IF NOT EXISTS privacy_forget (pseudonym VARCHAR(64) NOT NULL PRIMARY KEY, "
                    "user_id VARCHAR(64), state VARCHAR(16) NOT NULL, done {text} NOT NULL, uncovered {text} "
                    "NOT NULL, requested_ms BIGINT NOT NULL, finished_ms BIGINT, owner VARCHAR(32) NOT NULL, "
                    "lease_ms BIGINT NOT NULL) {table_options}"}}};

std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    auto const end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

ForgetJob read_job(sql::Row const& row) {
  auto const finished = row.optional_int64(6);
  auto const state = std::ranges::find(state_names, row.text(2));
  return {.pseudonym = UserId::from(row.text(0)).value(),
          .user = UserId::from(row.optional_text(1).value_or("")),
          .state = ForgetJob::State(state - state_names.begin()),
          .done = lines_of(row.text(3)),
          .uncovered = lines_of(row.text(4)),
          .requested_at = {row.int64(5)},
          .finished_at = finished ? std::optional(TimeMs{*finished}) : std::nullopt};
}

std::optional<ForgetJob> find_job(sql::Session& session, std::string_view where, sql::Values const& params) {
  auto const rows = session.query(
      fmt::format("SELECT {} FROM privacy_forget WHERE {} ORDER BY requested_ms, pseudonym LIMIT 1",
                  job_columns, where),
      params);
  return rows.empty() ? std::nullopt : std::optional(read_job(rows[0]));
}

std::optional<ForgetJob> find_by_pseudonym(sql::Session& session, UserId const& pseudonym) {
  return find_job(session, "pseudonym = ?", {pseudonym.str()});
}

}  // namespace

void migrate_privacy(sql::Database& sql) { sql::migrate(sql, "privacy", migrations); }

std::string_view name_of(ForgetJob::State state) { return state_names[std::size_t(state)]; }

ForgetJob request_forget(sql::Session& session, UserId const& user, TimeMs now) {
  if (auto running = find_job(session, "user_id = ?", {user.str()})) return *running;
  auto const key = keep_pseudonym_key(session, now);
  for (int life = 0;; ++life) {
    auto const pseudonym = pseudonym_of(key, user, life);
    if (find_by_pseudonym(session, pseudonym)) continue;
    sql::Values const row{pseudonym.str(), user.str(), std::string(state_names[0]), "", "", now.value, "",
                          std::int64_t(0)};
    session.bulk_insert(
        "privacy_forget",
        {"pseudonym", "user_id", "state", "done", "uncovered", "requested_ms", "owner", "lease_ms"},
        {&row, 1}, sql::OnConflict::ignore);
    return find_by_pseudonym(session, pseudonym).value();
  }
}

std::optional<ForgetJob> find_forget_job(sql::Session& session, UserId const& user) {
  auto const key = find_pseudonym_key(session);
  std::optional<ForgetJob> newest;
  for (int life = 0; !key.empty(); ++life) {
    auto found = find_by_pseudonym(session, pseudonym_of(key, user, life));
    if (!found) break;
    newest = std::move(found);
  }
  return newest;
}

std::optional<ForgetJob> claim_forget_job(sql::Session& session, std::string const& owner, TimeMs now,
                                          std::int64_t lease_ms) {
  auto job = find_job(session, "state <> 'finished' AND (lease_ms < ? OR owner = ?)", {now.value, owner});
  if (!job) return std::nullopt;
  auto const claimed = session.execute(
      "UPDATE privacy_forget SET owner = ?, lease_ms = ? WHERE pseudonym = ? AND (lease_ms < ? OR owner = ?)",
      {owner, now.value + lease_ms, job->pseudonym.str(), now.value, owner});
  return claimed > 0 ? job : std::nullopt;
}

bool renew_forget_job(sql::Session& session, UserId const& pseudonym, std::string const& owner, TimeMs now,
                      std::int64_t lease_ms) {
  return session.execute("UPDATE privacy_forget SET lease_ms = ? WHERE pseudonym = ? AND owner = ?",
                         {now.value + lease_ms, pseudonym.str(), owner}) > 0;
}

void release_forget_job(sql::Session& session, UserId const& pseudonym, std::string const& owner,
                        TimeMs until) {
  session.execute("UPDATE privacy_forget SET lease_ms = ?, owner = '' WHERE pseudonym = ? AND owner = ?",
                  {until.value, pseudonym.str(), owner});
}

void note_system_done(sql::Session& session, UserId const& pseudonym, std::string_view system,
                      std::string_view uncovered) {
  auto job = find_by_pseudonym(session, pseudonym);
  if (!job || std::ranges::find(job->done, system) != job->done.end()) return;
  job->done.emplace_back(system);
  if (!uncovered.empty()) job->uncovered.push_back(fmt::format("{}: {}", system, uncovered));
  session.execute("UPDATE privacy_forget SET done = ?, uncovered = ? WHERE pseudonym = ?",
                  {fmt::format("{}", fmt::join(job->done, "\n")),
                   fmt::format("{}", fmt::join(job->uncovered, "\n")), pseudonym.str()});
}

void begin_cleaning(sql::Session& session, UserId const& pseudonym) {
  session.execute("UPDATE privacy_forget SET user_id = NULL, state = 'cleaning' WHERE pseudonym = ?",
                  {pseudonym.str()});
}

void finish_forget_job(sql::Session& session, UserId const& pseudonym, TimeMs now) {
  session.execute(
      "UPDATE privacy_forget SET state = 'finished', finished_ms = ? WHERE pseudonym = ? AND state = "
      "'cleaning'",
      {now.value, pseudonym.str()});
}

std::int64_t count_finished_jobs(sql::Session& session) {
  return session.query("SELECT COUNT(*) FROM privacy_forget WHERE state <> 'running'").at(0).int64(0);
}

}  // namespace larder::privacy
