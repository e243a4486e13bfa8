// The keys of accounts in Redis. An account has the keys of the original game, `user:<id>` and
// `username:<folded name>`. On a cluster both begin with `{accounts}:`, so that one script can change both.
// All other keys of accounts always begin with `{accounts}:`.
#pragma once

#include "base/hash.hpp"
#include "base/ids.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace larder::accounts {

class AccountKeys {
 public:
  explicit AccountKeys(bool cluster) : prefix_(cluster ? "{accounts}:" : "") {}

  // A hash: id, username, hashed_password, generation, disabled (1 or 0), created_at (ms).
  std::string user(UserId const& id) const { return prefix_ + "user:" + id.str(); }
  // A string: the id of the account that has this name; see PlayerName::key().
  std::string username(std::string_view name_key) const {
    return fmt::format("{}username:{}", prefix_, name_key);
  }
  // Matches user() of all accounts, and also keys of other systems that begin in the same way.
  std::string user_pattern() const { return prefix_ + "user:*"; }
  // What follows the prefix in a key that user() may have made; empty for a key of another kind.
  std::string_view id_in(std::string_view user_key) const {
    auto const begin = prefix_.size() + std::string_view("user:").size();
    return user_key.size() > begin ? user_key.substr(begin) : std::string_view();
  }

  // Matches username() of all names.
  std::string username_pattern() const { return prefix_ + "username:*"; }
  // The name in a key that username() has made.
  std::string_view name_in(std::string_view username_key) const {
    return username_key.substr(prefix_.size() + std::string_view("username:").size());
  }

  // The outbox of all accounts.
  static std::string outbox() { return "{accounts}:outbox"; }
  // A stream of sessions that have ended; see Revocations.
  static std::string revoked() { return "{accounts}:revoked"; }
  // A due set (kit/schedule) of deleted accounts. The script that deletes an account adds the account's id,
  // due at once. Every system that keeps something under a player's id runs a scheduler over this set: its
  // handler forgets the player, then removes the member with a ZREM. A handler may get an id again, even long
  // after it has forgotten the player: a rebuild adds the ids of all deleted accounts.
  static std::string deletions() { return "{accounts}:deletions"; }
  // Token buckets (kit/limiter).
  static std::string logins_of_name(std::string_view name_key) { return bucket("logins:name", name_key); }
  static std::string logins_of_address(std::string_view address) { return bucket("logins:address", address); }
  static std::string registrations(std::string_view address) { return bucket("registrations", address); }

 private:
  static std::string bucket(std::string_view what, std::string_view whose) {
    return fmt::format("{{accounts}}:{}:{}", what, key_hash(whose));
  }

  std::string prefix_;
};

}  // namespace larder::accounts
