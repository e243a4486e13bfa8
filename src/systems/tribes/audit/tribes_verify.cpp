#include "systems/tribes/audit/tribes_verify.hpp"

#include "kit/events/projector.hpp"
#include "kit/schedule/due_set.hpp"
#include "stores/redis/reply_reader.hpp"
#include "systems/tribes/audit/event_source.hpp"
#include "systems/tribes/audit/replay.hpp"
#include "systems/tribes/town_document.hpp"
#include "systems/tribes/tribes_scripts.hpp"

#include <fmt/format.h>

#include <set>

namespace larder::tribes {

namespace {

constexpr std::size_t towns_at_once = 100;

class Verifier {
 public:
  Verifier(redis::Redis& redis, TribesJournal& journal, VerifyOptions const& options)
      : redis_(redis), journal_(journal), options_(options) {}

  Task<void> verify(WorldId id) {
    world_.emplace(id);
    replay_ = Replay();
    EventSource source(redis_, journal_, *world_);
    std::string newest = co_await journal_.newest(id);
    auto users = co_await users_of_redis();
    auto const last = co_await last_event();
    // Users whom only the events know are checked, too.
    co_await play(source, std::max(last, newest, later));
    if (replay_.info().deleted) co_return;  // Redis need not know anything of it
    if (events::parse_id(newest) > events::parse_id(last)) {
      differ(fmt::format("SQL has events up to {}, Redis has none behind {}", newest, last));
    }
    for (auto const& [user, town] : replay_.towns()) users.insert(user);
    std::vector<UserId> page;
    for (auto const& user : users) {
      page.push_back(user);
      if (page.size() == towns_at_once) co_await check(source, std::exchange(page, {}));
    }
    if (!page.empty()) co_await check(source, std::move(page));
    ++report_.worlds;
    options_.progress(report_);
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

  Task<std::set<UserId>> users_of_redis() {
    std::set<UserId> users;
    auto const key = world_->keys.names();
    auto const reply = co_await redis_.command(redis::Use::read, key, {"HKEYS", key});
    for (std::size_t i = 0; i < reply.size(); ++i) {
      if (auto user = UserId::from(reply.at(i).text())) users.insert(std::move(*user));
    }
    co_return users;
  }

  Task<std::string> last_event() {
    auto const reply = co_await redis_.run(redis::Use::read, scripts::read_page(*world_, {}));
    co_return std::string(redis::ReplyReader(reply).text());
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

  Task<void> check(EventSource& source, std::vector<UserId> users) {
    auto const reply = co_await redis_.run(redis::Use::read, scripts::read_page(*world_, users));
    redis::ReplyReader in(reply);
    std::string const last(in.text());
    bool const all_due = in.flag();
    co_await play(source, last);
    for (auto const& user : users) {
      auto const text = in.text();
      auto const due = in.text();
      bool const dead = in.flag();
      auto const coins = in.optional_integer();
      auto const town = compare(user, text);
      compare_places(user, town, !due.empty() || dead || all_due, coins);
    }
    in.end();
    report_.towns += std::int64_t(users.size());
    options_.progress(report_);
  }

  // Returns the town of Redis, if it can be read.
  std::optional<Town> compare(UserId const& user, std::string_view text) {
    auto const problem = [&](std::string_view what) {
      differ(fmt::format("town of {}: {}", user.str(), what));
      return std::nullopt;
    };
    bool const known = replay_.towns().contains(user);
    if (text.empty()) {
      if (known) problem("Redis does not have it");
      return std::nullopt;
    }
    if (!known) return problem("no event has founded it");
    auto const town = from_document(text, user);
    if (!town) return problem(fmt::format("{}: {}", town.error().field, town.error().detail));
    auto const expected = replay_.town_at(user, town->at);
    if (!expected) {
      problem(fmt::format("it is at {}, where its events cannot take it", town->at.value));
    } else if (*expected != *town) {
      problem(
          fmt::format("Redis has {}, its events make {}", to_document(*town, 0), to_document(*expected, 0)));
    }
    return *town;
  }

  // `coins`: on the leaderboard.
  void compare_places(UserId const& user, std::optional<Town> const& town, bool due,
                      std::optional<std::int64_t> coins) {
    if (!town) return;
    auto const problem = [&](std::string_view what) {
      differ(fmt::format("town of {}: {}", user.str(), what));
    };
    if (town->ruin) {
      if (coins) problem("it is a ruin, but on the leaderboard");
      return;
    }
    if (!due && replay_.info().is_running()) problem("it is never updated");
    if (!coins) {
      problem("it is not on the leaderboard");
    } else if (*coins != town->coins()) {
      problem(fmt::format("it owns {} coins, but the leaderboard says {}", town->coins(), *coins));
    }
  }

  redis::Redis& redis_;
  TribesJournal& journal_;
  VerifyOptions const& options_;
  VerifyReport report_;
  std::optional<World> world_;
  Replay replay_;
};

}  // namespace

Task<VerifyReport> verify(redis::Redis& redis, TribesJournal& journal, std::vector<WorldId> worlds,
                          VerifyOptions options) {
  Verifier verifier(redis, journal, options);
  for (auto& world : worlds) co_await verifier.verify(std::move(world));
  co_return verifier.report();
}

}  // namespace larder::tribes
