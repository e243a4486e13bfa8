// An economy for measuring: its own Redis, SQLite and background, and players who own enough.
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

// redis-benchmark puts a player's number in its place.
inline UserId const any_player = UserId::from("p__rand_int__").value();

// Never the same one twice in a row: whoever pays pays another.
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

// Points and items for all players.
void fill_players(std::string const& socket, std::string const& item);
std::string server_socket(std::filesystem::path const& data);

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
  // Outlives the Sql, as it must.
  asio::io_context& new_io() { return contexts_.emplace_back(1); }
  // Waits until everything that was written is in SQL.
  void drain();
  // A call of a move's script. Each player draws something else.
  redis::ScriptCall call(MakeCall const& make, UserId const& player, UserId const& other);
  // The same script, the same words, the same number in flight on one connection.
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
