#include "edges/api/accounts/accounts_background.hpp"

#include "base/json.hpp"
#include "base/log.hpp"
#include "base/number.hpp"
#include "kit/accounts/account_rebuild.hpp"
#include "kit/accounts/account_table.hpp"

namespace larder::api {

namespace {

// Empty if the field is missing.
std::string text(events::Event const& event, std::string_view field) {
  auto const* const value = event.find(field);
  return value ? *value : std::string();
}

std::int64_t number(events::Event const& event, std::string_view field) {
  return parse_int(text(event, field)).value_or(0);
}

}  // namespace

events::ProjectorOptions accounts_projector_options() {
  return {.name = "accounts", .streams = {accounts::AccountKeys::outbox()}, .to_feed = account_to_feed};
}

void project_account_events(sql::Session& session, std::string const&,
                            std::span<events::Event const> events) {
  std::vector<accounts::AccountEvent> read;
  read.reserve(events.size());
  for (auto const& event : events) {
    auto account = accounts::to_account_event([&](std::string_view field) { return text(event, field); });
    if (!account) throw std::runtime_error("an event of an account cannot be read");
    read.push_back(std::move(*account));
  }
  accounts::write_account_events(session, read);
  if (events.empty()) return;
  auto const [ms, sequence] = events::parse_id(events.back().id);
  accounts::note_newest_event(session, {.ms = ms, .sequence = sequence});
}

events::FeedEvent account_to_feed(std::string const&, events::Event const& event) {
  std::string data = R"({"id":)";
  append_json_string(data, event.id);
  data += '}';
  return {.system = Access::bots_of_players,
          .type = "account_" + text(event, "type"),
          .user_id = text(event, "user_id"),
          .at = {number(event, "at")},
          .data = std::move(data)};
}

AccountsBackground::AccountsBackground(Process const& process)
    : redis_(process.redis),
      sql_(process.sql),
      passwords_(process.cpu_pool),
      session_keys_(process.sql, process.clock),
      revocations_(process.clock),
      tokens_(session_keys_, revocations_, process.clock),
      projector_(process.io, process.redis, process.sql, process.clock, accounts_projector_options(),
                 project_account_events, process.metrics),
      shared_{.clock = process.clock,
              .passwords = passwords_,
              .session_keys = session_keys_,
              .revocations = revocations_,
              .wake_projector = [this] { projector_.wake(0); }},
      tasks_(process.io) {}

Task<void> AccountsBackground::load() {
  co_await session_keys_.load();
  try {
    co_await revocations_.poll(redis_);
  } catch (StoreError const& error) {
    log::warn("revoked sessions not read", {{"why", error.what()}});
  }
}

// If a store does not answer, the accounts may be intact.
Task<void> AccountsBackground::refuse_lost_redis() {
  bool lost = false;
  bool behind = false;
  try {
    lost = co_await accounts::is_lost(redis_, sql_);
    behind = !lost && co_await accounts::is_behind(redis_, sql_);
    if (!lost && !behind) co_await projector_.open();
  } catch (StoreError const& error) {
    log::warn("whether Redis has the accounts of players could not be checked", {{"why", error.what()}});
  }
  if (lost) {
    throw LostRedisError(
        "SQL has accounts of players, but this Redis has nothing of them; if it is the right one and its "
        "data is lost, run `larder rebuild` first");
  }
  if (behind) {
    throw LostRedisError(
        "this Redis is older than SQL: SQL has newer events of accounts; give the server the newest Redis, "
        "or run `larder tribes rebuild`, which brings back from SQL what this Redis lacks");
  }
}

Task<void> AccountsBackground::start() {
  co_await refuse_lost_redis();
  projector_.start();
  tasks_.spawn(follow_revocations());
  tasks_.spawn(follow_session_keys());
}

Task<void> AccountsBackground::stop() {
  tasks_.ask_to_stop();
  co_await projector_.stop();
  co_await tasks_.stop();
}

Task<void> AccountsBackground::follow_revocations() {
  bool failed = false;
  while (!tasks_.stopping()) {
    auto const begin = std::chrono::steady_clock::now();
    try {
      co_await revocations_.poll(redis_);
      failed = false;
    } catch (std::exception const& error) {
      if (!std::exchange(failed, true)) log::warn("revoked sessions not read", {{"why", error.what()}});
    }
    co_await tasks_.sleep_until(begin, accounts::Revocations::poll_every);
  }
}

Task<void> AccountsBackground::follow_session_keys() {
  bool failed = false;
  while (!tasks_.stopping()) {
    co_await tasks_.sleep(accounts::SessionKeys::refresh_every);
    try {
      co_await session_keys_.refresh();
      failed = false;
    } catch (std::exception const& error) {
      if (!std::exchange(failed, true)) log::warn("session keys not refreshed", {{"why", error.what()}});
    }
  }
}

}  // namespace larder::api
