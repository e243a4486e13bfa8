// What the benchmarks of the ledger share.
#pragma once

#include "measure.hpp"
#include "systems/ledger/embedded_ledger.hpp"

#include <filesystem>
#include <list>

namespace larder::bench {

namespace fs = std::filesystem;

inline constexpr int clients = 64;
inline constexpr int users = 100'000;

struct Settings {
  fs::path directory;
  std::string larder;  // path of the server's binary
  int rounds = 3;
  std::chrono::milliseconds time{4000};
};

// The ledger, embedded in a program, with one type.
class Embedded {
 public:
  explicit Embedded(fs::path const& directory);

  redis::Options const& redis_options() const { return ledger_.redis_options(); }
  std::string socket() const { return redis_options().url.endpoints.front().host; }
  Metrics& metrics() { return ledger_.metrics(); }
  // The io_context outlives the Sql object, as it must.
  asio::io_context& new_io() { return contexts_.emplace_back(1); }
  sql::Database& sql() { return ledger_.sql(); }
  ledger::Shared& shared() { return ledger_.shared(); }
  ledger::TypeId type() const { return type_; }
  // Waits until SQL has everything that was written. Returns the seconds.
  double drain();
  // Bytes of memory that Redis uses.
  double memory();

 private:
  std::list<asio::io_context> contexts_;
  ledger::EmbeddedLedger ledger_;
  ledger::TypeId type_ = 0;
};

// Adds of 5 points for random users.
class Entries {
 public:
  explicit Entries(ledger::TypeId type, std::uint64_t of_users = users) : type_(type), users_(of_users) {}
  ledger::Entry next() { return of(random_.below(users_)); }
  ledger::Entry of(std::uint64_t user);
  static UserId user(std::uint64_t number) { return UserId::from(fmt::format("u{:012}", number)).value(); }
  std::uint64_t below(std::uint64_t limit) { return random_.below(limit); }

 private:
  ledger::TypeId type_;
  std::uint64_t users_;
  Random random_{random_seed()};
};

// Each client calls `once` again and again, with the ledger of its thread.
Rate run_ledger(Embedded& embedded, int in_flight, std::chrono::milliseconds time,
                std::function<Task<void>(ledger::Ledger&)> const& once);

// Transfers, lots, memory, the projector, growth.
void measure_more(Settings const& settings, double library_rate);

}  // namespace larder::bench
