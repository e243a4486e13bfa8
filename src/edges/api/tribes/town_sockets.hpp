// The WebSockets of one io thread on which players watch their towns and act.
//
// The server sends objects with a `type`:
//   {"type": "state", "revision": n, "state": {...}}     first, and again after an outage
//   {"type": "patch", "revision": n, "patch": {...}}     what has changed since (RFC 7396)
//   {"type": "report", "report": {...}}                  a heist, from the player's side
//   {"type": "leaderboard", "items": [...]}              the richest players, when they change
//   {"type": "world", "world": {...}}                    when the world changes
//   {"type": "problem", "problem": {...}}                when Redis is unavailable; the socket stays open
//   {"type": "response", "id": ..., "revision": n}       the answer to an action, or ..., "problem": {...}
//
// A client sends the objects of POST .../actions with an `id`. The id is also the Idempotency-Key of the
// action: the same key over HTTP is the same action.
//
// One poll asks Redis for the revisions of all towns that this thread watches, several times a second. So a
// change by another server is seen soon, and a socket that waits costs nothing else.
#pragma once

#include "edges/api/system.hpp"
#include "edges/http/web_socket.hpp"
#include "systems/tribes/tribes.hpp"

#include <map>
#include <set>

namespace larder::api {

class TownSockets : public std::enable_shared_from_this<TownSockets> {
 public:
  TownSockets(IoThread const& thread, tribes::Shared& shared);

  // The session of a player who has a town in the world. Reads what it needs from the request at once.
  WebSocketSession session(tribes::WorldPtr world, UserId player, Request const& request);

 private:
  struct Viewer;
  struct Watched;  // a world with viewers
  using Moment = std::chrono::steady_clock::time_point;

  Task<void> talk(std::shared_ptr<Viewer> viewer);
  Task<void> answer(Viewer& viewer, std::string text);
  Task<Result<json::object>> act(Viewer& viewer, json::object message);
  Task<void> send_state(Viewer& viewer);
  Task<void> send_changes(Viewer& viewer);
  Task<void> send_reports(Viewer& viewer);
  Task<void> skip_reports(Viewer& viewer);
  Task<void> keep_pace(Viewer& viewer);
  Task<void> send_world(Watched& watched);
  Task<void> send_leaderboard(Watched& watched);

  Task<void> poll();
  Task<bool> look_at(std::shared_ptr<Watched> watched);
  Task<void> look(Watched& watched);
  Task<bool> refresh(std::shared_ptr<Viewer> viewer);
  Task<void> renew(Watched& watched, std::vector<std::shared_ptr<Viewer>> const& viewers);
  Task<void> check_tokens(std::vector<std::shared_ptr<Viewer>> const& viewers);
  static void tell(Watched& watched, std::string_view text);
  bool close_if_over(Viewer& viewer);
  void close_for(Viewer& viewer, Error const& refusal);
  static void report_outage(Watched& watched, std::string_view why);

  asio::io_context& io_;
  redis::Redis& redis_;
  accounts::Authenticator& authenticator_;
  http::RateLimit* rate_limit_;
  tribes::Tribes tribes_;
  std::map<tribes::WorldId, std::shared_ptr<Watched>> worlds_;
  bool polling_ = false;
};

}  // namespace larder::api
