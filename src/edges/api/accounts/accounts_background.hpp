// What a server does for players' accounts besides answering requests: the projector of their events, and the
// tasks that keep session keys and revocations up to date.
#pragma once

#include "base/task_group.hpp"
#include "edges/api/system.hpp"
#include "kit/accounts/accounts.hpp"
#include "kit/accounts/player_tokens.hpp"
#include "kit/events/projector.hpp"

namespace larder::api {

// How the events of accounts reach SQL and the feed.
events::ProjectorOptions accounts_projector_options();
void project_account_events(sql::Session& session, std::string const& stream,
                            std::span<events::Event const> events);
// Without name and hash.
events::FeedEvent account_to_feed(std::string const& stream, events::Event const& event);

// Works on the background thread. What shared() and tokens() return may be used on any thread, before start()
// and after stop().
class AccountsBackground {
 public:
  explicit AccountsBackground(Process const& process);

  // Reads session keys and revocations. If Redis is unavailable, player tokens are not accepted until it is
  // back. Throws StoreError if SQL is unavailable.
  Task<void> load();
  // Throws LostRedisError if this Redis has lost accounts: otherwise others could take their names. Throws
  // SetupError if SQL has lost some. If a store does not answer, it is assumed to be intact.
  Task<void> refuse_lost_redis();
  // Call it instead of start() if Redis has lost something: see Projector::save().
  Task<events::UnsavedEvents> save_events() { return projector_.save(); }
  // Throws what refuse_lost_redis() throws.
  Task<void> start();
  Task<void> stop();

  accounts::Shared& shared() { return shared_; }
  accounts::PlayerTokens& tokens() { return tokens_; }

 private:
  Task<void> follow_revocations();
  Task<void> follow_session_keys();

  redis::Redis& redis_;
  sql::Database& sql_;
  accounts::Passwords passwords_;
  accounts::SessionKeys session_keys_;
  accounts::Revocations revocations_;
  accounts::PlayerTokens tokens_;
  events::Projector projector_;
  accounts::Shared shared_;
  TaskGroup tasks_;
};

}  // namespace larder::api
