// A simple model of a world: it plays everything that happened in one order of game time, with the pure rules
// alone. It knows no server, no store and no revision, and it does not care when anybody looked at a town.
#pragma once

#include "systems/tribes/heist.hpp"
#include "systems/tribes/tribes_journal.hpp"
#include "systems/tribes/world_clock.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace larder::tribes {

class Model {
 public:
  // Called after each action and each join, with the town of the player who acted.
  using Watcher = std::function<void(TribesEvent const&, Town const&, WorldClock const&)>;

  // Plays what players and operators did. Heists follow from that, so the events of heists are not used.
  explicit Model(std::vector<TribesEvent> events, Watcher watcher = {});

  // Lets the rest of the time pass, up to the moment that is `now` in real time. All towns are then there.
  void finish(TimeMs now);

  GameMs at() const { return at_; }
  std::map<UserId, Town> const& towns() const { return towns_; }
  // In the order in which they happened.
  std::vector<HeistResult> const& heists() const { return heists_; }
  // What cannot have happened.
  std::vector<std::string> const& problems() const { return problems_; }
  // The stored town as it is at the moment of the model. Nothing if it has an encounter until then.
  std::optional<Town> to_now(Town stored) const;

 private:
  struct Coming {
    GameMs at;
    UserId attacker;
    std::uint64_t number = 0;  // in the order in which they were sent
    UserId target;
    friend auto operator<=>(Coming const&, Coming const&) = default;
  };
  struct RulesFrom {
    GameMs from;
    RulesPtr rules;
  };

  void play(TribesEvent const& event);
  void change(TribesEvent const& event, json::object const& data);
  void act(TribesEvent const& event, json::object data);
  // Resolves all heists that arrive until then.
  void meet_until(GameMs at);
  Town& town_at(UserId const& user, GameMs at);
  Rules const& rules() const { return *eras_.back().rules; }

  Watcher watcher_;
  GameMs at_;
  WorldClock clock_;
  bool running_ = true;
  std::vector<RulesFrom> eras_;
  std::map<UserId, Town> towns_;
  std::set<Coming> coming_;
  std::uint64_t sent_ = 0;
  std::vector<HeistResult> heists_;
  std::vector<std::string> problems_;
};

// The path and the values of the first member that differs; empty if the towns are equal.
std::string first_difference(Town const& one, Town const& other);

}  // namespace larder::tribes
