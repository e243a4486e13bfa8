// A complete economy inside another program, with its own threads.
//
//   larder::economy::EmbeddedEconomy game({.data = "game"});
//   Move const move{.realm = RealmId::from("main").value(), .player = UserId::from("111").value()};
//   auto const farmed = game.run(game.economy().farm(move, "Ann")).value();
//
// A program with its own io_context makes a redis::Redis and, from shared(), an Economy for each thread of
// that io_context, and awaits the same functions there.
#pragma once

#include "kit/presence/embedded/host.hpp"
#include "systems/economy/economy_background.hpp"

namespace larder::economy {

struct EmbeddedEconomyOptions {
  std::filesystem::path data = "data";  // for the private redis-server and SQLite; one program at a time
  std::string redis = "embedded";       // or any Redis URL; several programs and servers may share one Redis
  std::string sql = {};                 // any SQL URL; empty: SQLite in `data`
  int replicas_min = -1;                // replicas that must have a write; -1: 1 on a cluster, else 0
  CataloguePtr catalogue = ajo_catalogue();  // of new realms, and those whose catalogue a start gave
  std::int64_t stream_events = 10'000;       // how many stay in each stream after they are in SQL
};

class EmbeddedEconomy {
 public:
  // Returns when the economy is ready. Throws SetupError with a message that says what to do. Like a server,
  // it refuses a Redis that has lost a realm, or that is being rebuilt, and it refuses to work while the
  // clock of this machine is not right. While this object lives, a rebuild is refused.
  explicit EmbeddedEconomy(EmbeddedEconomyOptions const& options);
  // Journals the events that are waiting, then stops all threads.
  ~EmbeddedEconomy();
  EmbeddedEconomy(EmbeddedEconomy const&) = delete;
  EmbeddedEconomy& operator=(EmbeddedEconomy const&) = delete;

  // Call its functions with run(), or from coroutines on io().
  Economy& economy() { return economy_; }
  asio::io_context& io() { return host_.io(); }

  // Runs the task on io() and waits for its result. Call it from any thread except the thread of io().
  // Several threads may call it at the same time; their requests share round trips.
  template <class T>
  T run(Task<T> task) {
    return host_.run(std::move(task));
  }

  Shared& shared() { return work_.shared(); }
  redis::Options const& redis_options() const { return host_.redis_options(); }
  sql::Database& sql() { return host_.sql(); }
  Metrics& metrics() { return host_.metrics(); }

 private:
  embedded::Host host_;
  Background work_;
  Economy economy_;
};

}  // namespace larder::economy
