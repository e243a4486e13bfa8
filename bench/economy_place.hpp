// An economy for benchmarks, with its own Redis, SQLite and background work. Its players
// own enough for every move.
#pragma once

#include "measure.hpp"
#include "stores/redis/embedded.hpp"
#include "systems/economy/economy_background.hpp"

#include <filesystem>
#include <list>
#include <thread>

namespace larder::bench {

inline constexpr int clients = 64;
inline constexpr int players = 100'000;

// redis-benchmark replaces the placeholder by the number of a player.
inline UserId const any_player = UserId::from("p__rand_int__").value();

// Never returns the same player twice in a row, so that no player is both sides of a payment.
class Players {
 public:
  UserId next() {
    last_ = (last_ + 1 + random_.below(players - 1)) % players;
    return UserId::from(fmt::format("p{:012}", last_)).value();
  }

 private:
  Random random_{random_seed()};
  std::uint64_t last_ = 0;
};

// Gives points and items to all players.
void fill_players(std::string const& socket, std::string const& item);

using MakeCall = std::function<redis::ScriptCall(economy::Turn const& turn, UserId const& other)>;

class EconomyPlace {
 public:
  explicit EconomyPlace(std::filesystem::path const& directory);
  ~EconomyPlace();

  void fill(std::string const& item);
  redis::Options const& redis_options() const { return options_; }
  Metrics& metrics() { return metrics_; }
  economy::Shared& shared() { return background_->shared(); }
  economy::RealmId realm() const { return economy::RealmId::from(economy::default_realm).value(); }
  // The io_context outlives the Sql object, as it must.
  asio::io_context& new_io() { return contexts_.emplace_back(1); }
  // Waits until SQL has everything that was written.
  void drain();
  // A call of a move's script. Each player gets other draws.
  redis::ScriptCall call(MakeCall const& make, UserId const& player, UserId const& other);
  // The same script with the same keys and arguments, and the same number of calls in
  // flight on one connection.
  double redis_benchmark(redis::ScriptCall const& call, std::int64_t count);

 private:
  std::string socket() const { return options_.url.endpoints.front().host; }
  void run(Task<void> task);

  Metrics metrics_;
  std::list<asio::io_context> contexts_;
  redis::EmbeddedRedis embedded_;
  redis::Options options_;
  SystemClock clock_;
  asio::io_context io_{1};
  sql::Database sql_;
  redis::Redis redis_;
  std::optional<economy::Background> background_;
  std::optional<asio::executor_work_guard<Executor>> work_;
  std::thread thread_;
};

}  // namespace larder::bench
