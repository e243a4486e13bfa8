// The jobs that forget users, in SQL. A job outlives every crash: whoever claims it goes on with the first
// system that is not done. The row has the user's id only until all systems are done.
#pragma once

#include "kit/events/privacy/subject.hpp"
#include "stores/sql/database.hpp"

#include <optional>
#include <string>
#include <vector>

namespace larder::privacy {

// The tables, if they are missing. Blocks.
void migrate_privacy(sql::Database& sql);

struct ForgetJob {
  enum class State {
    running,   // the systems forget
    cleaning,  // the id is out of every table and key; old bytes are removed from the files
    finished,
  };
  UserId pseudonym;
  std::optional<UserId> user = {};  // only while the job is running
  State state = State::running;
  std::vector<std::string> done = {};       // the systems that are done
  std::vector<std::string> uncovered = {};  // what stays although the systems are done, in words
  TimeMs requested_at = {};
  std::optional<TimeMs> finished_at = {};
};
std::string_view name_of(ForgetJob::State state);

// All functions want a transaction, except find_forget_job.

// The job of this user that is running, or else a new one.
ForgetJob request_forget(sql::Session& session, UserId const& user, TimeMs now);
// The newest job of this user.
std::optional<ForgetJob> find_forget_job(sql::Session& session, UserId const& user);
// The oldest job that is not finished and that nobody else works on. It belongs to `owner` until the end of
// the lease.
std::optional<ForgetJob> claim_forget_job(sql::Session& session, std::string const& owner, TimeMs now,
                                          std::int64_t lease_ms);
// Returns false if the job belongs to somebody else by now.
bool renew_forget_job(sql::Session& session, UserId const& pseudonym, std::string const& owner, TimeMs now,
                      std::int64_t lease_ms);
// Gives the job back, so that anybody can claim it after `until`. Meanwhile, other jobs have their turn.
void release_forget_job(sql::Session& session, UserId const& pseudonym, std::string const& owner,
                        TimeMs until = {});
void note_system_done(sql::Session& session, UserId const& pseudonym, std::string_view system,
                      std::string_view uncovered);
// All systems are done: drops the user's id.
void begin_cleaning(sql::Session& session, UserId const& pseudonym);
void finish_forget_job(sql::Session& session, UserId const& pseudonym, TimeMs now);
// How many jobs have ever finished, so that a server notices that somebody was forgotten.
std::int64_t count_finished_jobs(sql::Session& session);

}  // namespace larder::privacy
