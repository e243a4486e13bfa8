// Passwords: which are allowed, and how they are hashed and checked. A hash is argon2id with 2 passes over
// 19 MiB, which keeps a core busy for about 30 ms. So this work runs on the CPU pool.
#pragma once

#include "base/cpu_pool.hpp"
#include "kit/accounts/player_names.hpp"

#include <atomic>
#include <string>

namespace larder::accounts {

// 8 to 256 characters that do not contain the name, whatever its case. Refusal: invalid_request with `field`.
// `utf8` must be valid.
Result<void> check_password(std::string_view utf8, PlayerName const& name, std::string_view field);

// Thread-safe. The CpuPool must outlive it. Each task refuses with server_busy if the pool has too much to
// do.
class Passwords {
 public:
  // Makes one hash on this thread.
  explicit Passwords(CpuPool& pool);

  // The hash contains its salt and its costs. Two hashes of one password differ.
  Task<Result<std::string>> hash(std::string password);
  // Whether the hash is of this password. With an empty hash, the answer is false and takes just as long.
  Task<Result<bool>> matches(std::string hash, std::string password);

  // How often matches() has computed a hash. For tests: two answers that must take equally long do the same
  // work.
  std::int64_t compared() const { return *compared_; }

 private:
  CpuPool& pool_;
  std::string decoy_;  // the hash of a password that nobody knows
  std::shared_ptr<std::atomic<std::int64_t>> compared_ = std::make_shared<std::atomic<std::int64_t>>(0);
};

}  // namespace larder::accounts
