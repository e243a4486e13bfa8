#include "kit/accounts/account_rebuild.hpp"

#include "kit/accounts/account_table.hpp"
#include "kit/accounts/accounts_scripts.hpp"
#include "kit/accounts/player_names.hpp"
#include "kit/accounts/session_keys.hpp"
#include "stores/redis/reply_reader.hpp"
#include "stores/redis/stream_ids.hpp"

namespace larder::accounts {

namespace {

constexpr std::string_view events_at_once = "1000";

std::string field_of(redis::ReplyView fields, std::string_view name) {
  for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
    if (fields.at(i).text() == name) return std::string(fields.at(i + 1).text());
  }
  return {};
}

class Rebuild {
 public:
  Rebuild(redis::Redis& redis, sql::Database& sql, TimeMs now, RebuildOptions options)
      : redis_(redis), sql_(sql), now_(now), options_(std::move(options)) {}

  Task<RebuildReport> run() {
    co_await journal_outbox();
    // This comes first: a deleted account of an older Redis may have a name that another account has now.
    co_await for_each_portion(sql_,
                              [this](std::vector<AccountRow> const& rows) { return forget_deleted(rows); });
    co_await for_each_portion(sql_, [this](std::vector<AccountRow> const& rows) { return restore(rows); });
    // Without this mark, a Redis without the newest account seems to be lost.
    co_await redis::raise_stream(redis_, AccountKeys::outbox(), co_await sql_.read(find_newest_event));
    co_return report_;
  }

 private:
  // SQL may lack the newest events. They stay in the outbox, so that a projector tells the feed about them.
  Task<void> journal_outbox() {
    auto const key = AccountKeys::outbox();
    for (std::string after = "-";;) {
      auto const reply = co_await redis_.command(redis::Use::read, key,
                                                 {"XRANGE", key, after, "+", "COUNT", events_at_once});
      std::vector<AccountEvent> events;
      for (std::size_t i = 0; i < reply.size(); ++i) {
        auto const fields = reply.at(i).at(1);
        if (auto event = to_account_event([&](std::string_view name) { return field_of(fields, name); }))
          events.push_back(std::move(*event));
        after = fmt::format("({}", reply.at(i).at(0).text());
      }
      co_await sql_.write([&](sql::Session& session) { write_account_events(session, events); });
      if (reply.size() == 0) co_return;
    }
  }

  Task<void> forget_deleted(std::vector<AccountRow> const& rows) {
    std::vector<std::string> deletions{"ZADD", AccountKeys::deletions()};
    for (auto const& row : rows) {
      if (!row.deleted_at) continue;
      deletions.push_back(fmt::to_string(now_.value));
      deletions.push_back(row.account.id.str());
      ++report_.deletions;
      auto const found = co_await store_.find(row.account.id);
      if (found) co_await store_.remove(*found, "", now_);
    }
    if (deletions.size() == 2) co_return;
    std::vector<std::string_view> const words(deletions.begin(), deletions.end());
    co_await redis_.command(redis::Use::idempotent_write, deletions[1], words);
  }

  Task<void> restore(std::vector<AccountRow> const& rows) {
    std::vector<Account> lost;
    for (auto const& row : rows) {
      if (row.deleted_at || co_await store_.has(row.account)) continue;
      lost.push_back(row.account);
      ++lost.back().generation;  // sessions end; SQL does not know every end, so the keys also change
    }
    if (!lost.empty()) {
      co_await end_all_sessions();
      co_await restore_accounts(lost);
    }
    if (options_.progress) options_.progress(report_);
  }

  // Called before the first account is restored: no older session may be valid for it.
  Task<void> end_all_sessions() {
    if (std::exchange(sessions_ended_, true)) co_return;
    co_await sql_.write([now = now_](sql::Session& session) { replace_session_keys(session, now); });
  }

  Task<void> restore_accounts(std::vector<Account> const& accounts) {
    auto const reply =
        co_await redis_.run(redis::Use::idempotent_write, scripts::restore_accounts(keys_, accounts));
    redis::ReplyReader in(reply);
    for (auto const& account : accounts) {
      auto const outcome = in.integer();
      if (outcome == 1) ++report_.accounts;
      if (outcome < 0) co_await report_name(account);
    }
    in.end();
  }

  Task<void> report_name(Account account) {
    ++report_.problems;
    auto const owner = co_await store_.find_by_name(fold_name(account.username));
    if (!options_.problem) co_return;
    auto const other = owner ? owner->id.str() : std::string("another account");
    options_.problem(fmt::format(
        "account {0} is not restored, because {1} has the name {2}, too; `larder user delete {0}` gives it "
        "up, or `larder user delete {1}` and `larder tribes rebuild` bring it back",
        account.id.str(), other, account.username));
  }

  redis::Redis& redis_;
  sql::Database& sql_;
  TimeMs now_;
  AccountStore store_{redis_};
  AccountKeys keys_{redis_.is_cluster()};
  RebuildOptions options_;
  RebuildReport report_;
  bool sessions_ended_ = false;
};

}  // namespace

Task<bool> is_lost(redis::Redis& redis, sql::Database& sql) {
  auto const newest = co_await sql.read(find_newest_account);
  if (!newest) co_return false;
  // An outbox is emptied, but never deleted. A rebuild creates the outbox last of all.
  auto const outbox = AccountKeys::outbox();
  auto const reply = co_await redis.command(redis::Use::read, outbox, {"EXISTS", outbox});
  co_return reply.integer() == 0 && !co_await AccountStore(redis).find(newest->id);
}

Task<bool> is_behind(redis::Redis& redis, sql::Database& sql) {
  auto const newest = co_await sql.read(find_newest_event);
  co_return co_await redis::last_stream_id(redis, AccountKeys::outbox()) < newest;
}

Task<bool> is_incomplete(redis::Redis& redis, sql::Database& sql) {
  if (co_await is_lost(redis, sql) || co_await is_behind(redis, sql)) co_return true;
  bool incomplete = false;
  AccountStore store(redis);
  co_await for_each_portion(sql, [&](std::vector<AccountRow> const& rows) -> Task<void> {
    for (auto const& row : rows) {
      if (!incomplete && !row.deleted_at) incomplete = !co_await store.has(row.account);
    }
  });
  co_return incomplete;
}

Task<RebuildReport> rebuild(redis::Redis& redis, sql::Database& sql, Clock const& clock,
                            RebuildOptions options) {
  Rebuild work(redis, sql, clock.now(), std::move(options));
  co_return co_await work.run();
}

}  // namespace larder::accounts
