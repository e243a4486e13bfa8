// Plays a world again from its events. Time, actions and heists are the same as the first time, so the towns
// become what they were.
#pragma once

#include "systems/tribes/tribes_journal.hpp"
#include "systems/tribes/world.hpp"

#include <map>
#include <string>

namespace larder::tribes {

// Holds all towns of the world in memory. Knows no store.
class Replay {
 public:
  // Takes the events in their order, beginning with "created". Refuses an event that cannot have happened,
  // and says why; the world is then as before, and the replay can continue with the next event.
  Result<void> apply(TribesEvent const& event);

  bool created() const { return !info_.eras.empty(); }
  // Its revision is 0.
  WorldInfo const& info() const { return info_; }
  std::map<UserId, Town> const& towns() const { return towns_; }
  std::map<UserId, std::string> const& names() const { return names_; }
  // When each town reached the goal, if an event shows that it did.
  std::map<UserId, GameMs> const& goals() const { return goals_; }
  // When the town reached the goal, up to a moment after its last event.
  std::optional<GameMs> goal_at(UserId const& user, GameMs at) const;
  // The town as it was at a moment after its last event. Nothing if a heist comes before that moment.
  std::optional<Town> town_at(UserId const& user, GameMs at) const;

 private:
  Result<void> create(json::value const& data);
  Result<void> change(TribesEvent const& event, json::value const& data);
  Result<void> join(TribesEvent const& event, json::value const& data);
  Result<void> act(TribesEvent const& event, json::value const& data);
  Result<void> rob(TribesEvent const& event, json::value const& data);
  Result<void> ruin(TribesEvent const& event);
  // A copy of the town at that moment.
  Result<Town> take(std::string_view user, GameMs at) const;
  void put(Town town, GameMs before);

  WorldInfo info_;
  std::map<UserId, Town> towns_;
  std::map<UserId, std::string> names_;
  std::map<UserId, GameMs> goals_;
};

}  // namespace larder::tribes
