// A world of the tribes for benchmarks, with its own Redis. Its towns have buildings, mice and full queues.
#pragma once

#include "measure.hpp"
#include "stores/redis/embedded.hpp"
#include "systems/tribes/worlds.hpp"

#include <filesystem>

namespace larder::bench {

UserId town_user(int number);

// Founds the towns 0 to `towns` - 1 in a world of a Redis that a server also uses.
void found_towns(asio::io_context& io, redis::Redis& redis, tribes::WorldId const& world, int towns);

class TownsPlace {
 public:
  TownsPlace(std::filesystem::path const& directory, Clock const& clock, int towns);

  int towns() const { return towns_; }
  std::string socket() const { return options_.url.endpoints.front().host; }
  redis::Options const& redis_options() const { return options_; }
  Metrics& metrics() { return metrics_; }
  tribes::World& world() { return *world_; }

  // Makes every town due, evenly spread over a stretch of time.
  void make_due(TimeMs from, std::int64_t stretch_ms);
  // The updater of the server works for this long. `lags` gets the milliseconds from the moment at which a
  // town was due until it was updated.
  Rate update(int at_once, std::chrono::milliseconds time, std::vector<double>* lags = nullptr);
  // Updates one town.
  void update_town(int number);
  // What the keys of a town take in Redis.
  std::int64_t bytes_of_town(int number);

 private:
  template <class T>
  T run(Task<T> task);

  Clock const& clock_;
  int towns_;
  Metrics metrics_;
  redis::EmbeddedRedis embedded_;
  redis::Options options_;
  asio::io_context io_{1};
  redis::Redis redis_;
  sql::Database sql_;
  tribes::TribesJournal journal_;
  tribes::Shared shared_;
  tribes::Worlds worlds_;
  tribes::Tribes tribes_;
  tribes::WorldPtr world_;
};

}  // namespace larder::bench
