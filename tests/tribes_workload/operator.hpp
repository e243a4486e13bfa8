// Somebody who changes the world while it is played.
#pragma once

#include "systems/tribes/worlds.hpp"
#include "tribes_workload/client.hpp"

namespace larder::tribes {

// Works on the thread of one server, like a Client. The outcome of a change that was cut off is unknown.
class Operator {
 public:
  struct Options {
    std::vector<RulesPtr> rules;       // that count by turns
    std::vector<std::int64_t> speeds;  // likewise
    std::uint64_t ruins_max = 0;
    std::uint64_t every = 100;  // requests between two changes, on average
  };
  Operator(Seed seed, Game& game, Options options)
      : random_(seed), game_(game), options_(std::move(options)) {}

  Task<void> work(Worlds& worlds);

  std::atomic<bool> wanted = false;  // work() returns soon after it becomes false
  std::atomic<bool> busy = false;
  std::map<std::string, std::int64_t> changes;

 private:
  Task<void> change(Worlds& worlds);

  Random random_;
  Game& game_;
  Options options_;
  std::uint64_t next_ = 0;
  bool closed_ = false;  // perhaps
  std::uint64_t ruins_ = 0;
};

}  // namespace larder::tribes
