// What the routes of operators show of all systems. Each system describes its share: see System::due_sets()
// and System::search().
#pragma once

#include "base/task.hpp"
#include "edges/http/operation_routes.hpp"
#include "stores/redis/redis.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace larder::api {

// The due sets of one schedule: one set, or one for each place, such as a world. An operator calls them
// "<schedule>" or "<schedule>:<place>".
struct DueSets {
  std::string_view schedule;  // as in the metrics, such as "tribes_updates"
  std::string_view members;   // what a member is
  redis::Redis& redis;        // of the io thread
  // The places after the place `after`, sorted as text, at most `limit`. Empty: the schedule has one set.
  std::function<std::vector<std::string>(std::string const& after, std::size_t limit)> places = {};
  // The key of the set of a place, or of the only set (`place` is empty). Nothing if there is no such place:
  // what an operator writes can name no other key.
  std::function<std::optional<std::string>(std::string_view place)> key;
  std::string_view must_stay = {};  // why a dead member must not be dropped; empty: it may be
};

// Something that a search has found.
struct SearchHit {
  std::string_view kind;  // user, player, order, guild, ...
  std::string id;
  std::optional<std::string> name = {};
  std::optional<std::string> realm = {};
  std::optional<std::string> world = {};
  std::optional<std::string> path = {};  // the route that shows it, if there is one
};

// Finds what has this id, or a name that begins with this text: at most limits::search_hits_max of each kind,
// with an amount of work that does not grow with the number of users. Throws StoreError.
using Search = std::function<Task<std::vector<SearchHit>>(std::string text)>;

struct SearchOf {
  std::string_view system = {};  // as in events, such as "discord"
  Search find = {};              // empty: the system has nothing to find
};

// One per io thread. Complete when the server begins to listen.
struct OperatorViews {
  std::shared_ptr<http::Operations> operations;
  std::vector<DueSets> due_sets;
  std::vector<SearchOf> searches;
};

}  // namespace larder::api
