#include "edges/api/tribes/town_sockets.hpp"

#include "base/log.hpp"
#include "base/when_all.hpp"
#include "edges/api/tribes/merge_patch.hpp"
#include "edges/api/tribes/player_request.hpp"
#include "edges/api/tribes/tribes_json.hpp"
#include "edges/http/credentials.hpp"
#include "edges/http/problem.hpp"
#include "kit/documents/documents.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/format.h>

namespace larder::api {

using namespace std::chrono_literals;

namespace {

constexpr auto poll_every = 300ms;
constexpr auto renew_every = 10s;  // well within limits::watched_ms
constexpr auto check_tokens_every = 5s;
constexpr auto leaderboard_every = 10s;
constexpr std::size_t towns_at_once = 500;
constexpr std::int64_t leaderboard_places = 20;
constexpr std::int64_t reports_at_once = 20;

std::string problem_text(Error const& error) { return problem_response(error, "").body; }

std::string message(std::string_view type, std::string_view rest) {
  return fmt::format(R"({{"type":"{}",{}}})", type, rest);
}

}  // namespace

struct TownSockets::Viewer {
  tribes::WorldPtr world;
  UserId player;
  accounts::Caller caller;
  // The credentials with which the socket was opened.
  std::string authorization;
  std::string cookie;
  std::string subprotocol;
  std::shared_ptr<WebSocket> socket = {};
  std::int64_t revision = -1;  // of what the client has; -1: nothing
  std::string state = {};      // that the client has, as JSON
  std::string last_report = {};
  Moment next_message = {};  // when the server may read it
  bool greeted = false;      // the client has the state; only then does the poll look at the viewer
};

struct TownSockets::Watched {
  tribes::WorldPtr world;
  std::set<std::shared_ptr<Viewer>> viewers = {};
  std::int64_t revision = 0;  // of the world, as the viewers know it
  std::string leaderboard = {};
  Moment renewed = {};
  Moment checked = {};
  Moment ranked = {};
  std::string outage = {};  // what the viewers were told about the outage; empty: there is none
};

TownSockets::TownSockets(IoThread const& thread, tribes::Shared& shared)
    : io_(thread.io),
      redis_(thread.redis),
      authenticator_(thread.authenticator),
      rate_limit_(thread.rate_limit),
      tribes_(thread.redis, shared) {}

WebSocketSession TownSockets::session(tribes::WorldPtr world, UserId player, Request const& request) {
  auto const credentials = credentials_of(request);
  auto const viewer = std::make_shared<Viewer>(Viewer{.world = std::move(world),
                                                      .player = std::move(player),
                                                      .caller = *request.caller,
                                                      .authorization = std::string(credentials.authorization),
                                                      .cookie = std::string(credentials.cookie),
                                                      .subprotocol = std::string(credentials.subprotocol)});
  return [self = shared_from_this(), viewer](std::shared_ptr<WebSocket> socket, Request const&) {
    viewer->socket = std::move(socket);
    return self->talk(viewer);
  };
}

Task<void> TownSockets::talk(std::shared_ptr<Viewer> viewer) {
  auto const self = shared_from_this();
  auto& place = worlds_[viewer->world->id];
  if (!place) {
    place = std::make_shared<Watched>(
        Watched{.world = viewer->world, .revision = viewer->world->info()->revision});
  }
  auto const watched = place;
  watched->viewers.insert(viewer);
  struct Leaving {
    TownSockets& sockets;
    std::shared_ptr<Viewer> const& viewer;
    ~Leaving() {
      auto const place = sockets.worlds_.find(viewer->world->id);
      place->second->viewers.erase(viewer);
      if (place->second->viewers.empty()) sockets.worlds_.erase(place);
    }
  } const leaving{*this, viewer};
  if (!std::exchange(polling_, true)) asio::co_spawn(io_, poll(), asio::detached);
  try {
    co_await tribes_.watch(*viewer->world, {viewer->player});
    co_await skip_reports(*viewer);
    co_await send_state(*viewer);
  } catch (StoreError const& error) {
    report_outage(*watched, error.what());  // the poll sends the state when Redis is back
  }
  viewer->greeted = true;
  if (!watched->outage.empty()) {
    viewer->socket->send(watched->outage);
  } else if (!watched->leaderboard.empty()) {
    viewer->socket->send(watched->leaderboard);
  }
  while (auto text = co_await viewer->socket->read()) {
    co_await keep_pace(*viewer);
    co_await answer(*viewer, std::move(*text));
  }
}

// A client that sends faster has to wait, because the server reads only at this pace. After a pause, a client
// may send up to a second's worth of messages at once.
Task<void> TownSockets::keep_pace(Viewer& viewer) {
  constexpr auto pause = std::chrono::microseconds(1'000'000 / limits::socket_messages_per_s);
  auto const now = std::chrono::steady_clock::now();
  viewer.next_message = std::max(viewer.next_message, now - 1s) + pause;
  if (viewer.next_message > now)
    co_await sleep_for(std::chrono::ceil<std::chrono::milliseconds>(viewer.next_message - now));
}

// Whatever the client sends, it gets one response, and the socket stays open.
Task<void> TownSockets::answer(Viewer& viewer, std::string text) {
  if (close_if_over(viewer)) co_return;
  std::string id = "null";
  std::string rest;
  try {
    auto parsed = parse_json(text);
    if (parsed && parsed->is_object()) {
      if (auto const* const given = parsed->get_object().if_contains("id"); given && given->is_string())
        id = json::serialize(*given);
    }
    auto const done = parsed
                          ? co_await act(viewer, parsed->is_object() ? parsed->get_object() : json::object())
                          : Result<json::object>(std::unexpected(parsed.error()));
    rest = done ? json::serialize(*done) : fmt::format(R"({{"problem":{}}})", problem_text(done.error()));
  } catch (StoreError const& error) {
    rest = fmt::format(R"({{"problem":{}}})", store_problem(error, "").body);
  } catch (std::exception const& error) {
    log::error("an action over a WebSocket failed",
               {{"player", viewer.player.str()}, {"error", error.what()}});
    rest = fmt::format(R"({{"problem":{}}})", problem_text({.code = errors::internal_error,
                                                            .detail = "the server failed; see its log"}));
  }
  viewer.socket->send(fmt::format(R"({{"type":"response","id":{},{})", id, rest.substr(1)));
  if (rest.starts_with(R"({"problem")")) co_return;
  try {
    co_await send_changes(viewer);
  } catch (StoreError const&) {
    // The poll sees the change later.
  }
}

Task<Result<json::object>> TownSockets::act(Viewer& viewer, json::object sent) {
  auto const* const id = sent.if_contains("id");
  bool const good = id && id->is_string() && !id->get_string().empty() &&
                    id->get_string().size() <= limits::idempotency_key_chars_max;
  if (!good) {
    co_return invalid("id",
                      fmt::format("id must be a string of 1 to {} bytes", limits::idempotency_key_chars_max));
  }
  if (rate_limit_) {
    auto verdict = co_await rate_limit_->count(viewer.caller.id, "act");
    if (verdict.refused) co_return std::unexpected(std::move(*verdict.refused));
  }
  std::string const text(id->get_string());
  sent.erase("id");
  CO_TRY(auto const action, tribes::parse_action(sent));
  auto const key = key_of_action(viewer.player, text, action);
  CO_TRY(auto const acted, co_await tribes_.act(viewer.world->id, viewer.player, action, key));
  auto const body = json::parse(acted.json);
  json::object out{{"revision", body.at("revision")}};
  if (acted.replayed) out["replayed"] = true;
  co_return out;
}

Task<void> TownSockets::send_state(Viewer& viewer) {
  auto const town = co_await tribes_.state(viewer.world->id, viewer.player);
  if (!town) co_return close_for(viewer, town.error());
  viewer.revision = town->revision;
  viewer.state = json::serialize(town->state);
  viewer.socket->send(
      message("state", fmt::format(R"("revision":{},"state":{})", viewer.revision, viewer.state)));
}

Task<void> TownSockets::send_changes(Viewer& viewer) {
  auto const before = viewer.revision;
  if (before < 0) co_return co_await send_state(viewer);
  auto const town = co_await tribes_.state(viewer.world->id, viewer.player);
  if (!town) co_return close_for(viewer, town.error());
  if (viewer.revision != before || town->revision == before)
    co_return;                    // another call was faster, or no change
  if (town->revision < before) {  // this Redis has lost something
    co_await skip_reports(viewer);
    co_return co_await send_state(viewer);
  }
  auto const patch = merge_patch(json::parse(viewer.state).as_object(), town->state);
  viewer.revision = town->revision;
  viewer.state = json::serialize(town->state);
  if (!patch.empty()) {
    auto const text = fmt::format(R"("revision":{},"patch":{})", viewer.revision, json::serialize(patch));
    viewer.socket->send(message("patch", text));
  }
  co_await send_reports(viewer);
}

// Only later reports are new to the client.
Task<void> TownSockets::skip_reports(Viewer& viewer) {
  auto const newest = co_await tribes_.reports(viewer.world->id, viewer.player, "", 1);
  if (newest) viewer.last_report = newest->empty() ? "" : newest->front().id;
}

Task<void> TownSockets::send_reports(Viewer& viewer) {
  auto const reports = co_await tribes_.reports(viewer.world->id, viewer.player, "", reports_at_once);
  if (!reports) co_return;
  std::vector<tribes::Report> fresh;
  for (auto const& report : *reports) {
    if (!viewer.last_report.empty() && events::parse_id(report.id) <= events::parse_id(viewer.last_report))
      break;
    fresh.push_back(report);
  }
  if (fresh.empty()) co_return;
  viewer.last_report = fresh.front().id;
  std::vector<std::string> others;
  for (auto const& report : fresh) others.emplace_back(report.data.at("other").as_string());
  auto const citizens = co_await tribes_.citizens(*viewer.world, others);
  for (auto i = fresh.size(); i-- > 0;) {
    viewer.socket->send(message(
        "report", fmt::format(R"("report":{})", json::serialize(to_json(fresh[i], citizens[i].username)))));
  }
}

Task<void> TownSockets::send_world(Watched& watched) {
  co_await tribes_.towns().refresh(*watched.world);
  auto const info = watched.world->info();
  watched.revision = info->revision;
  if (info->deleted) {
    for (auto const& viewer : watched.viewers)
      viewer->socket->close(CloseCode::gone, "the world was deleted");
    co_return;
  }
  auto const line = to_json(co_await tribes_.line_of(*watched.world));
  tell(watched, message("world", fmt::format(R"("world":{})", json::serialize(line))));
}

Task<void> TownSockets::send_leaderboard(Watched& watched) {
  auto const ranked = co_await tribes_.leaderboard(watched.world->id, leaderboard_places, {});
  if (!ranked) co_return;
  json::array items;
  for (auto const& each : *ranked) items.push_back(to_json(each));
  auto text = message("leaderboard", fmt::format(R"("items":{})", json::serialize(items)));
  if (text == watched.leaderboard) co_return;
  watched.leaderboard = std::move(text);
  tell(watched, watched.leaderboard);
}

// A town that cannot be read must not hold up the others.
Task<bool> TownSockets::refresh(std::shared_ptr<Viewer> viewer) {
  try {
    co_await send_changes(*viewer);
  } catch (StoreError const&) {
    throw;
  } catch (std::exception const& error) {
    log::warn("a town on a WebSocket was not read",
              {{"player", viewer->player.str()}, {"why", error.what()}});
  }
  co_return true;
}

Task<void> TownSockets::look(Watched& watched) {
  std::vector<std::shared_ptr<Viewer>> const viewers(watched.viewers.begin(), watched.viewers.end());
  for (auto const& viewer : viewers) close_if_over(*viewer);
  auto const& keys = watched.world->keys;
  for (std::size_t begin = 0; begin < viewers.size(); begin += towns_at_once) {
    auto const end = std::min(begin + towns_at_once, viewers.size());
    std::vector<std::string> revision_keys{documents::revision_key(keys.world())};
    for (auto i = begin; i < end; ++i)
      revision_keys.push_back(documents::revision_key(keys.town(viewers[i]->player)));
    std::vector<std::string_view> words{"MGET"};
    words.insert(words.end(), revision_keys.begin(), revision_keys.end());
    auto const reply = co_await redis_.command(redis::Use::read, revision_keys[0], words);
    if (begin == 0 && !reply.at(0).is_nil() && reply.at(0).integer() != watched.revision)
      co_await send_world(watched);
    std::vector<Task<bool>> refreshes;
    for (auto i = begin; i < end; ++i) {
      auto const now = reply.at(i - begin + 1);
      bool const changed = now.is_nil() || now.integer() != viewers[i]->revision;
      if (changed && viewers[i]->greeted && viewers[i]->socket->is_open())
        refreshes.push_back(refresh(viewers[i]));
    }
    co_await when_all(std::move(refreshes));
  }
  auto const now = std::chrono::steady_clock::now();
  if (now - watched.renewed >= renew_every) {
    watched.renewed = now;
    co_await renew(watched, viewers);
  }
  if (now - watched.checked >= check_tokens_every) {
    watched.checked = now;
    co_await check_tokens(viewers);
  }
  if (now - watched.ranked >= leaderboard_every) {
    watched.ranked = now;
    co_await send_leaderboard(watched);
  }
}

Task<void> TownSockets::renew(Watched& watched, std::vector<std::shared_ptr<Viewer>> const& viewers) {
  for (std::size_t begin = 0; begin < viewers.size(); begin += towns_at_once) {
    std::vector<UserId> users;
    for (auto i = begin; i < std::min(begin + towns_at_once, viewers.size()); ++i)
      users.push_back(viewers[i]->player);
    co_await tribes_.watch(*watched.world, std::move(users));
  }
}

// A logout takes effect at once. check_tokens() finds everything else that can end a socket.
bool TownSockets::close_if_over(Viewer& viewer) {
  bool const over = authenticator_.is_over(viewer.caller);
  if (over) viewer.socket->close(CloseCode::session_over, "the session has ended; log in again");
  return over;
}

// The town cannot be shown any more: its world was deleted, or its owner's account.
void TownSockets::close_for(Viewer& viewer, Error const& refusal) {
  if (close_if_over(viewer)) return;
  bool const gone = refusal.code == tribes::errors::world_not_found;
  viewer.socket->close(gone ? CloseCode::gone : CloseCode::normal, refusal.detail);
}

// A socket ends when its token is no longer valid.
Task<void> TownSockets::check_tokens(std::vector<std::shared_ptr<Viewer>> const& viewers) {
  for (auto const& viewer : viewers) {
    auto const caller = co_await authenticator_.authenticate({.authorization = viewer->authorization,
                                                              .cookie = viewer->cookie,
                                                              .subprotocol = viewer->subprotocol});
    if (!caller) {
      viewer->socket->close(CloseCode::session_over, caller.error().detail);
    } else if (caller->read_only || caller->scopes != viewer->caller.scopes) {
      viewer->socket->close(CloseCode::session_over, "what the service key may do was changed");
    }
  }
}

// Ends when nobody watches any more.
Task<void> TownSockets::poll() {
  auto const self = shared_from_this();
  while (!worlds_.empty()) {
    std::vector<Task<bool>> looks;
    for (auto const& [id, watched] : worlds_) looks.push_back(look_at(watched));
    co_await when_all(std::move(looks));
    co_await sleep_for(poll_every);
  }
  polling_ = false;
}

// A failure in one world does not disturb the viewers of the others.
Task<bool> TownSockets::look_at(std::shared_ptr<Watched> watched) {
  try {
    co_await look(*watched);
    watched->outage.clear();
  } catch (StoreError const& error) {
    report_outage(*watched, error.what());
  } catch (std::exception const& error) {
    log::warn("the towns on WebSockets were not looked at",
              {{"world", watched->world->id.str()}, {"why", error.what()}});
  }
  co_return true;
}

void TownSockets::report_outage(Watched& watched, std::string_view why) {
  if (!watched.outage.empty()) return;
  watched.outage = message(
      "problem", fmt::format(R"("problem":{})", store_problem(StoreError(std::string(why), false), "").body));
  tell(watched, watched.outage);
  // After the outage, everybody gets the whole state.
  for (auto const& viewer : watched.viewers) viewer->revision = -1;
}

// A viewer that does not have the state yet must get it first.
void TownSockets::tell(Watched& watched, std::string_view text) {
  for (auto const& viewer : watched.viewers) {
    if (viewer->greeted) viewer->socket->send(text);
  }
}

}  // namespace larder::api
