// Clients that play at random, and remember what they were told.
#pragma once

#include "base/random.hpp"
#include "systems/tribes/tribes.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace larder::tribes {

// Where the players live. Thread-safe.
class Atlas {
 public:
  void put(UserId const& user, Field field);
  std::optional<Field> of(UserId const& user) const;
  // The nearest one of a few towns that are drawn at random.
  std::optional<Field> neighbour(UserId const& user, Random& random) const;

 private:
  mutable std::mutex mutex_;
  std::map<UserId, Field> fields_;
  std::vector<Field> all_;
};

// What all clients share.
struct Game {
  WorldId world;
  std::vector<UserId> players;
  Atlas atlas = {};
  std::atomic<std::uint64_t> progress = 0;  // requests that were answered
};

struct Request {
  UserId user;
  std::optional<Action> action = {};  // nothing: the player joins
  std::optional<IdempotencyKey> key = {};

  // As the journal has it, without the target and the seed of a heist.
  std::string what() const { return action ? json::serialize(to_json(*action)) : "join"; }
};

// A request that was accepted.
struct Accepted {
  Request request;
  std::int64_t revision = 0;  // of the town
  std::string state = {};     // without its timestamp
};

// Works on the thread of one server. If the server dies, work() ends with it. Called again on another server,
// it first repeats the request whose outcome nobody knows.
class Client {
 public:
  Client(int number, Seed seed, Game& game) : number_(number), random_(seed), game_(game) {}

  void give(std::uint64_t steps) {
    steps_ = steps;
    busy = true;
  }
  Task<void> work(Tribes& tribes);
  // The requests of which nobody knows whether they happened.
  std::vector<Request> unknown() const;

  std::atomic<bool> busy = false;
  std::vector<Accepted> accepted;
  std::map<std::string, std::int64_t> refusals;
  std::int64_t store_errors = 0;
  std::int64_t repeated = 0;

 private:
  struct Last {
    Request request;
    std::string answer;
  };

  Request next();
  Action random_action(UserId const& user);
  Task<Result<Answered>> send(Tribes& tribes, Request request);
  Task<void> ask(Tribes& tribes);
  Task<void> ask_again(Tribes& tribes);
  void learn(Request const& request, std::string const& answer);

  int number_;
  Random random_;
  Game& game_;
  std::uint64_t steps_ = 0;
  std::uint64_t keys_ = 0;
  std::vector<Request> lost_;  // without a key: nobody can ask again
  std::optional<Request> pending_;
  std::optional<Last> last_;  // a request with a key that was answered
};

}  // namespace larder::tribes
