// Compares what Redis has of a world with what its events make of it. Pure functions: each returns a line for
// each difference.
#pragma once

#include "systems/tribes/audit/replay.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace larder::tribes {

using Lines = std::vector<std::string>;

// What Redis has of a world besides its towns; see read_frame.lua.
struct WorldFrame {
  std::string text;
  std::string revision;
  std::string reached;
  std::vector<std::string> jobs;
  std::vector<std::string> dead_jobs;
  std::vector<std::string> dead_towns;
  std::vector<std::string> goals;
};
// Does not check whether `reached` is right.
Lines compare_frame(WorldFrame const& frame, Replay const& replay);

// What Redis has of a town; see read_page.lua.
struct TownFrame {
  std::string text;
  std::string revision;
  std::string due;
  std::string coins;
  std::string name;
  std::string owner;
  std::string goal;
  std::string coins_type;
  std::string pizzas_type;
};
struct TownMoment {
  TimeMs now;
  bool all_due = false;     // all towns are about to become due
  bool owner_gone = false;  // the account was deleted, and nothing is left to do for that
};
// `at` gets the moment that the town of Redis has reached, if the document can be read.
Lines compare_town(UserId const& user, TownFrame const& frame, Replay const& replay, TownMoment const& moment,
                   std::optional<GameMs>& at);

// "<x>,<y> <name>", or "<x>,<y>" without a name.
std::string citizen_text(Field field, std::string_view name);

}  // namespace larder::tribes
