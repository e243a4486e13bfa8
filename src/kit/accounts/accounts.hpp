// What players do with their accounts: register, log in, log out, change the password, delete the account.
#pragma once

#include "kit/accounts/account_store.hpp"
#include "kit/accounts/passwords.hpp"
#include "kit/accounts/revocations.hpp"
#include "kit/accounts/session_keys.hpp"

namespace larder::accounts {

// What all threads of a server share.
struct Shared {
  Clock const& clock;
  Passwords& passwords;
  SessionKeys& session_keys;
  Revocations& revocations;
  std::function<void()> wake_projector;  // from any thread
};

struct SignedIn {
  UserId id;
  std::string username;
  std::string token;
  TimeMs expires_at;
};

// Thread-compatible: one per io thread. Throws StoreError. A function that computes a hash refuses with
// server_busy if the CPU pool has too much to do. Sessions that end here end on this server at once, and on
// every other server within a second.
class Accounts {
 public:
  Accounts(redis::Redis& redis, Shared& shared) : shared_(shared), store_(redis, shared.wake_projector) {}

  // The password was checked with check_password(). Refusal: username_taken.
  Task<Result<SignedIn>> sign_up(PlayerName name, std::string password);
  // An unknown name and a wrong password get the same refusal after the same work: wrong_credentials. Only a
  // caller who knows the password learns that the account is disabled: account_disabled.
  Task<Result<SignedIn>> log_in(std::string username, std::string password);

  // Refusal: account_not_found.
  Task<Result<Account>> find(UserId id);
  Task<void> log_out(Session session);
  // Refusal: account_not_found.
  Task<Result<void>> log_out_everywhere(UserId id);
  // Ends all sessions, and begins a new one. Refusals: wrong_credentials, account_not_found.
  Task<Result<SignedIn>> change_password(Account account, std::string password, std::string new_password);
  // Refusal: wrong_credentials. An account that is already gone is not refused.
  Task<Result<void>> remove(Account account, std::string password);

 private:
  Task<SignedIn> begin_session(Account account);
  Task<Result<void>> check(std::string hash, std::string password, std::string_view refusal);

  Shared& shared_;
  AccountStore store_;
};

}  // namespace larder::accounts
