// A second implementation of the ajo game with its numbers: in memory, one move after the other. Its answers
// are compared with the answers of the scripts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace larder::economy {

// Draws the numbers of Redis' math.random: lrand48, scaled.
class Draws {
 public:
  explicit Draws(std::uint32_t seed) : state_((std::uint64_t(seed) << 16U) + 0x330E) {}
  std::int64_t next(std::int64_t low, std::int64_t high);
  std::vector<std::int64_t> values;

 private:
  std::uint64_t state_;
};

// A move that a client asks for.
struct Asked {
  enum class Kind {
    farm,
    pay,
    claim,
    gamble,
    discombobulate,
    trade,
    craft,
    use,
    plant_bomb,
    inspect,
    start_roulette,
    shoot
  };
  Kind kind = Kind::farm;
  std::string player;
  std::string other;        // to, target
  std::string item;         // or the reward, or the roulette
  std::int64_t amount = 0;  // 0: the whole balance
  std::string name;
  std::string idempotency_key;
};

struct ModelPlayer {
  std::string name;
  std::int64_t balance = 0;
  std::map<std::string, std::int64_t> items;
  std::optional<std::int64_t> vampire, gain, buff, curse;
  bool locked = false;
  std::map<std::string, bool> claimed;
};

class Model {
 public:
  // The answer of a move, in the words of economy_workload_test.cpp. `now` is in ms.
  std::string apply(Asked const& asked, std::uint32_t seed, std::int64_t now);
  void arm_bomb(std::string const& player, std::int64_t now);
  // What a player owns before the first move.
  void open(std::string const& player, std::int64_t points, std::map<std::string, std::int64_t> items);

  std::map<std::string, ModelPlayer> players;
  std::map<std::string, std::int64_t> planted;  // due times of planted bombs, by player
  std::string pending;                          // who planted the pending bomb
  std::map<std::string, std::int64_t> events;   // count by type; "items <type>" for items

 private:
  std::string decide(Asked const& asked, Draws& draws, std::int64_t now);
  std::string farm(Asked const& asked, Draws& draws);
  std::string pay(Asked const& asked);
  std::string discombobulate(Asked const& asked, Draws& draws);
  std::string trade(Asked const& asked);
  std::string craft(Asked const& asked);
  std::string use(Asked const& asked, std::int64_t now);
  std::string shoot(Asked const& asked);
  void points(std::string const& player, std::int64_t by, std::string const& type);
  void item(std::string const& player, std::string const& item, std::int64_t by, std::string const& type);
  std::int64_t owned(std::string const& player, std::string const& item);

  std::int64_t pending_due_ = 0;
  struct Roulette {
    std::int64_t left = 0;
    std::int64_t drawn = 0;
    std::uint32_t seed = 0;
  };
  std::map<std::string, Roulette> roulettes_;
  std::map<std::string, std::string> answers_;  // by Idempotency-Key
};

}  // namespace larder::economy
