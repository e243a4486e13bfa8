// An account, and the refusals of accounts.
#pragma once

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"

#include <string>

namespace larder::errors {
inline constexpr ErrorCode username_taken{ErrorKind::conflict, "username_taken"};
inline constexpr ErrorCode wrong_credentials{ErrorKind::unauthenticated, "wrong_credentials"};
inline constexpr ErrorCode account_disabled{ErrorKind::forbidden, "account_disabled"};
inline constexpr ErrorCode account_not_found{ErrorKind::not_found, "account_not_found"};
}  // namespace larder::errors

namespace larder::accounts {

struct Account {
  UserId id;
  std::string username;         // as the player wrote it
  std::string hashed_password;  // must not leave the stores
  // Grows with every event of the account and when all its sessions end. A session of an older generation is
  // over, and SQL ignores an event of an older generation.
  std::int64_t generation = 1;
  bool disabled = false;  // cannot log in
  TimeMs created_at;
  friend bool operator==(Account const&, Account const&) = default;
};

}  // namespace larder::accounts
