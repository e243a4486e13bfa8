#include "systems/tribes/audit/tribes_verify.hpp"

#include "base/number.hpp"
#include "kit/events/projector.hpp"
#include "stores/redis/reply_reader.hpp"
#include "systems/tribes/audit/compare.hpp"
#include "systems/tribes/audit/event_source.hpp"
#include "systems/tribes/map.hpp"
#include "systems/tribes/tribes.hpp"

#include <fmt/format.h>

#include <set>

namespace larder::tribes {

namespace {

constexpr std::size_t towns_at_once = 100;

std::vector<std::string> read_list(redis::ReplyReader in) {
  std::vector<std::string> list;
  while (!in.at_end()) list.emplace_back(in.text());
  return list;
}

struct Frame {
  std::string last;  // the id of the newest event
  WorldFrame world;
};

// What a part of Redis that a player is in says about the player.
struct Claim {
  std::string user;
  std::string where;
  std::optional<Field> field = {};  // on the map
};

class Verifier {
 public:
  Verifier(redis::Redis& redis, TribesJournal& journal, VerifyOptions const& options)
      : redis_(redis), journal_(journal), options_(options) {}

  Task<void> verify(WorldId id) {
    world_.emplace(id);
    replay_ = Replay();
    EventSource source(redis_, journal_, *world_);
    std::string newest = co_await journal_.newest(id);
    // First what Redis has, then the events: by then, they explain it.
    bool const listed = co_await is_listed();
    auto users = co_await users_of_redis();
    auto const claims = co_await read_claims();
    auto const frame = co_await read_frame();
    // Users whom only the events know are checked, too.
    co_await play(source, std::max(frame.last, newest, later));
    if (replay_.created() && replay_.info().deleted) co_return;  // Redis need not know anything of it
    bool const behind = events::parse_id(newest) > events::parse_id(frame.last);
    if (behind) differ(fmt::format("SQL has events up to {}, Redis has none behind {}", newest, frame.last));
    co_await compare_lives();
    if (frame.world.text.empty()) {
      if (!behind && replay_.created())
        differ("Redis does not have its document; stop the servers and run `larder tribes rebuild`");
      if (users.empty()) co_return;
    } else {
      if (!listed) differ("it is not in the list of worlds");
      for (auto const& line : compare_frame(frame.world, replay_)) differ(line);
    }
    compare_claims(claims);
    for (auto const& [user, town] : replay_.towns()) users.insert(user);
    co_await check_towns(source, users, frame.world.reached);
    ++report_.worlds;
    options_.progress(report_);
  }
  // One corrupt world does not keep the others from being verified.
  Task<void> verify_or_tell(WorldId id) {
    try {
      co_await verify(std::move(id));
    } catch (redis::ReplyError const& error) {
      differ(fmt::format("it cannot be verified, because a key has another type: {}", error.what()));
    }
  }
  VerifyReport const& report() const { return report_; }

 private:
  static bool later(std::string const& one, std::string const& other) {
    return events::parse_id(one) < events::parse_id(other);
  }

  void differ(std::string const& what) {
    ++report_.differences;
    options_.difference(fmt::format("world {}: {}", world_->id.str(), what));
  }

  Task<bool> is_listed() {
    auto const reply =
        co_await redis_.command(redis::Use::read, worlds_key, {"SISMEMBER", worlds_key, world_->id.str()});
    co_return reply.integer() == 1;
  }

  Task<std::set<UserId>> users_of_redis() {
    std::set<UserId> users;
    auto const key = world_->keys.names();
    auto const reply = co_await redis_.command(redis::Use::read, key, {"HKEYS", key});
    for (std::size_t i = 0; i < reply.size(); ++i) {
      if (auto user = UserId::from(reply.at(i).text())) users.insert(std::move(*user));
    }
    co_return users;
  }

  // Who is on the leaderboard and on the map.
  Task<std::vector<Claim>> read_claims() {
    std::vector<Claim> claims;
    auto const board = world_->keys.leaderboard();
    auto const ranked = co_await redis_.command(redis::Use::read, board, {"ZRANGE", board, "0", "-1"});
    for (std::size_t i = 0; i < ranked.size(); ++i)
      claims.push_back({.user = std::string(ranked.at(i).text()), .where = "on the leaderboard"});
    auto const info = co_await read_info();
    if (!info) co_return claims;
    for (auto const& zone : zones_by_distance(info->rules().world)) {
      auto const key = world_->keys.zone(zone.x, zone.y);
      auto const towns = co_await redis_.command(redis::Use::read, key, {"HGETALL", key});
      for (std::size_t i = 0; i + 1 < towns.size(); i += 2) {
        auto const field = parse_field(towns.at(i).text());
        claims.push_back({.user = std::string(towns.at(i + 1).text()),
                          .where = fmt::format("on the map at {}", towns.at(i).text()),
                          .field = field.value_or(Field{.x = -1, .y = -1})});
      }
    }
    co_return claims;
  }

  Task<WorldInfoPtr> read_info() {
    try {
      co_return co_await read_world(redis_, world_->id);
    } catch (CorruptDocument const&) {
      co_return nullptr;
    }
  }

  void compare_claims(std::vector<Claim> const& claims) {
    for (auto const& claim : claims) {
      auto const user = UserId::from(claim.user);
      auto const town = user ? replay_.towns().find(*user) : replay_.towns().end();
      if (town == replay_.towns().end()) {
        differ(fmt::format("{} is {}, but has no town", claim.user, claim.where));
      } else if (claim.field && *claim.field != town->second.field) {
        differ(fmt::format("{} is {}, but has a town on another field", claim.user, claim.where));
      }
    }
  }

  // A world with towns can only be created again after it was deleted.
  Task<void> compare_lives() {
    for (auto const& id : co_await journal_.lost_lives(world_->id))
      differ(fmt::format("event {} has created it again, although it had towns and was not deleted", id));
  }

  Task<Frame> read_frame() {
    auto const reply = co_await redis_.run(redis::Use::read, scripts::read_frame(*world_));
    redis::ReplyReader in(reply);
    Frame frame{.last = std::string(in.text())};
    frame.world.text = in.text();
    frame.world.revision = in.text();
    frame.world.reached = in.text();
    for (auto* const list :
         {&frame.world.jobs, &frame.world.dead_jobs, &frame.world.dead_towns, &frame.world.goals}) {
      *list = read_list(in.array());
    }
    in.end();
    co_return frame;
  }

  // Plays all events up to this id.
  Task<void> play(EventSource& source, std::string last) {
    for (;;) {
      auto const events = co_await source.next(last);
      if (events.empty()) co_return;
      for (auto const& event : events) {
        if (auto const done = replay_.apply(event); !done)
          differ(fmt::format("event {} ({}): {}", event.id(), event.type, done.error().detail));
      }
      report_.events += std::int64_t(events.size());
      options_.progress(report_);
    }
  }

  // `before`: the moment that no town was past before they are read.
  Task<void> check_towns(EventSource& source, std::set<UserId> const& users, std::string before) {
    reached_ = GameMs{};
    std::vector<UserId> page;
    for (auto const& user : users) {
      page.push_back(user);
      if (page.size() == towns_at_once) co_await check(source, std::exchange(page, {}));
    }
    if (!page.empty()) co_await check(source, std::move(page));
    if (!reached_) co_return;  // a town is missing, which was reported
    auto const key = world_->keys.reached();
    auto const reply = co_await redis_.command(redis::Use::read, key, {"GET", key});
    auto const after = reply.optional_text().value_or("");
    // Towns never go back. So they are past the moment from before, and not past the moment from afterwards.
    bool const good = (before.empty() || parse_int(before).value_or(limits::amount_max) <= reached_->value) &&
                      (reached_->value == 0 || parse_int(after).value_or(-1) >= reached_->value);
    if (!good) {
      differ(fmt::format("the towns have reached \"{}\", by their documents {}",
                         after.empty() ? before : after, reached_->value));
    }
  }

  Task<std::set<UserId>> gone_among(std::vector<UserId> const& users) {
    std::set<UserId> gone;
    for (auto const& user : users) {
      if (options_.is_deleted && co_await options_.is_deleted(user)) gone.insert(user);
    }
    co_return gone;
  }

  Task<void> check(EventSource& source, std::vector<UserId> users) {
    auto const gone = co_await gone_among(users);
    std::vector<scripts::TownPlace> places;
    for (auto const& user : users) {
      auto const known = replay_.towns().find(user);
      auto const field = known == replay_.towns().end() ? Field{} : known->second.field;
      places.push_back({.user = user,
                        .field = field,
                        .zone = replay_.created() ? zone_of(field, replay_.info().rules().world) : Zone{}});
    }
    auto const reply = co_await redis_.run(redis::Use::read, scripts::read_page(*world_, places));
    redis::ReplyReader in(reply);
    std::string const last(in.text());
    TownMoment moment{.now = options_.now(), .all_due = in.flag()};
    co_await play(source, last);
    for (auto const& user : users) {
      moment.owner_gone = gone.contains(user);
      std::optional<GameMs> at;
      for (auto const& line : compare_town(user, read_town_frame(in.array()), replay_, moment, at))
        differ(line);
      reached_ = at && reached_ ? std::optional(std::max(*reached_, *at)) : std::nullopt;
    }
    in.end();
    report_.towns += std::int64_t(users.size());
    options_.progress(report_);
  }

  static TownFrame read_town_frame(redis::ReplyReader in) {
    TownFrame frame;
    for (auto* const text : {&frame.text, &frame.revision, &frame.due, &frame.coins, &frame.name,
                             &frame.owner, &frame.goal, &frame.coins_type, &frame.pizzas_type}) {
      *text = in.text();
    }
    in.end();
    return frame;
  }

  redis::Redis& redis_;
  TribesJournal& journal_;
  VerifyOptions const& options_;
  VerifyReport report_;
  std::optional<World> world_;
  Replay replay_;
  std::optional<GameMs> reached_;  // by the documents of the towns; nothing: a town cannot be read
};

}  // namespace

Task<VerifyReport> verify(redis::Redis& redis, TribesJournal& journal, std::vector<WorldId> worlds,
                          VerifyOptions options) {
  Verifier verifier(redis, journal, options);
  for (auto& world : worlds) co_await verifier.verify_or_tell(std::move(world));
  co_return verifier.report();
}

}  // namespace larder::tribes
