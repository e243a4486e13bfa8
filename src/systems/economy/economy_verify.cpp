#include "systems/economy/economy_verify.hpp"

#include "base/number.hpp"
#include "kit/events/projector.hpp"
#include "stores/redis/reply_reader.hpp"
#include "systems/economy/economy_rebuild.hpp"
#include "systems/economy/economy_scripts.hpp"
#include "systems/economy/realm_catalogue.hpp"
#include "systems/economy/realm_removal.hpp"

#include <fmt/format.h>

#include <set>

namespace larder::economy {

namespace {

constexpr std::int64_t players_at_once = 200;
constexpr int events_at_once = 1000;

class Verifier {
 public:
  Verifier(redis::Redis& redis, EconomyJournal& journal, VerifyOptions const& options)
      : redis_(redis), journal_(journal), options_(options) {}

  Task<void> verify(RealmId realm) {
    realm_ = std::move(realm);
    keys_.emplace(realm_);
    points_newest_ = co_await journal_.newest(realm_, EconomyEvent::Of::points);
    items_newest_ = co_await journal_.newest(realm_, EconomyEvent::Of::items);
    ++report_.realms;
    if (co_await is_lost() || co_await is_closed(redis_, *keys_)) co_return;
    co_await compare_ends();
    std::string after;
    for (;;) {
      auto users = co_await journal_.users(realm_, after, players_at_once);
      if (users.empty()) break;
      after = users.back();
      co_await compare(co_await known(std::move(users), true));
    }
    co_await compare_strangers();
  }
  VerifyReport const& report() const { return report_; }

 private:
  // One line for the realm, instead of one for each player.
  Task<bool> is_lost() {
    if (points_newest_ == "0-0" && items_newest_ == "0-0") co_return false;
    if (co_await kept(redis_, realm_) != Kept::lost) co_return false;
    ++report_.differences;
    options_.difference(
        fmt::format("realm {}: Redis has lost it; `larder economy rebuild` brings it back", realm_.str()));
    co_return true;
  }

  // A Redis that lost its data, or was restored from an older copy, does not know the newest events.
  Task<void> compare_ends() {
    auto const moment = co_await read_players({});
    auto const compare_end = [&](std::string const& stream, std::string const& newest,
                                 std::string_view last) {
      if (events::parse_id(newest) <= events::parse_id(last)) return;
      ++report_.differences;
      options_.difference(fmt::format("realm {}: SQL has events of {} up to {}, Redis has none behind {}",
                                      realm_.str(), stream, newest, last));
    };
    redis::ReplyReader in(moment);
    compare_end(keys_->points(), points_newest_, in.text());
    compare_end(keys_->items(), items_newest_, in.text());
    in.end();
  }

  // What the players own, and the ids of the last events at that moment.
  Task<redis::Reply> read_players(std::vector<std::string> const& players) {
    std::vector<UserId> ids;
    for (auto const& player : players) ids.push_back(UserId::from(player).value());
    return redis_.run(redis::Use::read, scripts::read_players(*keys_, ids));
  }

  // Compares players who own something in Redis, but had no event in SQL at the start.
  Task<void> compare_strangers() {
    auto const board = keys_->leaderboard();
    std::string cursor = "0";
    do {
      auto const reply =
          co_await redis_.command(redis::Use::read, board, {"ZSCAN", board, cursor, "COUNT", "200"});
      cursor = reply.at(0).text();
      std::vector<std::string> players;
      for (std::size_t i = 0; i + 1 < reply.at(1).size(); i += 2)
        players.emplace_back(reply.at(1).at(i).text());
      co_await compare_unknown(std::move(players));
    } while (cursor != "0");
    co_await redis_.scan(keys_->inventory_pattern(), [&](std::vector<std::string> found) -> Task<void> {
      std::vector<std::string> players;
      for (auto const& key : found) {
        if (auto const player = keys_->owner_of_inventory(key)) players.push_back(player->str());
      }
      if (players.empty()) co_return;
      std::vector<std::string_view> command{"ZMSCORE", board};
      command.insert(command.end(), players.begin(), players.end());
      auto const scores = co_await redis_.command(redis::Use::read, board, command);
      std::vector<std::string> without_points;  // players with points were found on the leaderboard
      for (std::size_t i = 0; i < players.size(); ++i) {
        if (scores.at(i).is_nil()) without_points.push_back(players[i]);
      }
      co_await compare_unknown(std::move(without_points));
    });
  }

  Task<void> compare_unknown(std::vector<std::string> players) {
    players = co_await known(std::move(players), false);
    if (!players.empty()) co_await compare(std::move(players));
  }

  // Filters the players: with `had`, those that had an event in SQL at the start;
  // otherwise those that had none.
  Task<std::vector<std::string>> known(std::vector<std::string> players, bool had) {
    auto const known = co_await journal_.known(realm_, players, points_newest_, items_newest_);
    std::erase_if(players, [&](std::string const& player) { return known.contains(player) != had; });
    co_return players;
  }

  Task<void> compare(std::vector<std::string> players) {
    std::erase_if(players, [](std::string const& player) { return !UserId::from(player); });
    auto const points = keys_->points();
    auto const items = keys_->items();
    auto const reply = co_await read_players(players);
    redis::ReplyReader in(reply);
    std::string const last_points(in.text());
    std::string const last_items(in.text());
    std::map<std::string, Owned> owned;
    for (;;) {
      auto const points_place = co_await projected(points, points_newest_);
      auto const items_place = co_await projected(items, items_newest_);
      owned = co_await journal_.owned(realm_, players, earlier(points_place, last_points),
                                      earlier(items_place, last_items));
      co_await add_rest(owned, EconomyEvent::Of::points, points, points_place, last_points);
      co_await add_rest(owned, EconomyEvent::Of::items, items, items_place, last_items);
      // Nothing had to be read from the streams, ...
      if (earlier(points_place, last_points) == last_points && earlier(items_place, last_items) == last_items)
        break;
      // ... or none of it was projected in the meantime, so none of it was trimmed.
      if (points_place == co_await projected(points, points_newest_) &&
          items_place == co_await projected(items, items_newest_))
        break;
    }
    for (auto const& player : players) compare_one(player, owned[player], in.array());
    in.end();
    report_.players += std::int64_t(players.size());
    options_.progress(report_);
  }

  static std::string const& earlier(std::string const& a, std::string const& b) {
    return events::parse_id(a) < events::parse_id(b) ? a : b;
  }

  // If Redis does not know it, it may have lost it: then SQL has at least what SQL had at the start.
  Task<std::string> projected(std::string const& stream, std::string const& newest) {
    auto const key = events::projected_key(stream);
    auto const reply = co_await redis_.command(redis::Use::read, key, {"GET", key});
    co_return reply.is_nil() ? newest : std::string(reply.text());
  }

  // Adds the events that were not in SQL yet when SQL was read, or may not have been.
  Task<void> add_rest(std::map<std::string, Owned>& owned, EconomyEvent::Of of, std::string stream,
                      std::string projected, std::string last) {
    for (auto first = events::next_id(projected); events::parse_id(first) <= events::parse_id(last);) {
      auto const batch = co_await events::read_events(redis_, stream, first, last, events_at_once);
      for (auto const& event : batch) {
        auto const made = to_economy_event(of, event);
        auto& player = owned[made.user_id];
        (of == EconomyEvent::Of::items ? player.inventory[made.item] : player.balance) += made.amount;
      }
      if (batch.size() < std::size_t(events_at_once)) break;
      first = events::next_id(batch.back().id);
    }
  }

  void compare_one(std::string const& player, Owned const& told, redis::ReplyReader stored) {
    auto const score = stored.text();
    auto const told_balance = fmt::to_string(told.balance);
    if (score != told_balance && !(score.empty() && told.balance == 0)) {
      differ(player, "points", told_balance, score.empty() ? "0" : score);
    }
    std::map<std::string, std::string> counts;
    for (auto inventory = stored.array(); !inventory.at_end();) {
      std::string item(inventory.text());
      counts[std::move(item)] = inventory.text();
    }
    for (auto const& [item, count] : told.inventory) counts.emplace(item, "0");
    for (auto const& [item, count] : counts) {
      auto const found = told.inventory.find(item);
      auto const told_count = fmt::to_string(found == told.inventory.end() ? 0 : found->second);
      if (count != told_count) differ(player, item, told_count, count);
    }
  }

  void differ(std::string_view player, std::string_view what, std::string_view told,
              std::string_view stored) {
    ++report_.differences;
    options_.difference(fmt::format("realm {}, player {}: the events say {} {}, Redis has {}", realm_.str(),
                                    player, told, what, stored));
  }

  redis::Redis& redis_;
  EconomyJournal& journal_;
  VerifyOptions const& options_;
  VerifyReport report_;
  RealmId realm_;
  std::optional<RealmKeys> keys_;
  std::string points_newest_, items_newest_;  // newest event ids in SQL, at the start
};

}  // namespace

Task<std::vector<RealmId>> realms_to_verify(redis::Redis& redis, EconomyJournal& journal) {
  auto const opened = co_await all_realms(redis);
  std::set<RealmId> realms(opened.begin(), opened.end());
  for (auto& id : co_await possible_realms(redis, journal)) realms.insert(std::move(id));
  co_return std::vector(realms.begin(), realms.end());
}

Task<VerifyReport> verify(redis::Redis& redis, EconomyJournal& journal, std::vector<RealmId> realms,
                          VerifyOptions options) {
  Verifier verifier(redis, journal, options);
  for (auto& realm : realms) co_await verifier.verify(std::move(realm));
  co_return verifier.report();
}

}  // namespace larder::economy
