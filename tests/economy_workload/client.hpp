// Clients of the economy that make random moves.
#pragma once

#include "base/random.hpp"
#include "model.hpp"
#include "systems/economy/economy.hpp"

#include <string>
#include <vector>

namespace larder::economy {

inline constexpr int player_count = 200;
std::string player_name(std::uint64_t number);

// A move that was made, and its answer.
struct Told {
  Asked asked;
  std::string answer;
  bool seen = false;  // by the monitor
};

// Makes random moves in one realm.
class Client {
 public:
  Client(Seed seed, Economy& economy, RealmId realm, std::vector<Told>& told,
         std::vector<std::string>& roulettes)
      : random_(seed), economy_(economy), realm_(std::move(realm)), told_(told), roulettes_(roulettes) {}

  Task<void> work(std::size_t moves);

 private:
  std::string random_player() { return player_name(random_.below(player_count)); }
  std::string random_item();
  Asked next();
  Task<std::string> ask(Asked& asked, std::size_t number);

  Random random_;
  Economy& economy_;
  RealmId realm_;
  std::vector<Told>& told_;
  std::vector<std::string>& roulettes_;
  std::optional<Asked> last_;
};

}  // namespace larder::economy
