// Leaderboards in Redis.
//
//   boards::Board board(redis, "leaderboard");
//   co_await board.set("user1", coins);
//   for (auto const& place : co_await board.top(20)) ...
//
// A board is a sorted set. The highest score comes first. If two members have the same score, the greater
// name, byte by byte, comes first (ZREVRANGE). No two members share a rank. A system that changes more than a
// score in one step uses its own script; see board.lua.
#pragma once

#include "base/amount.hpp"
#include "base/task.hpp"
#include "stores/redis/redis.hpp"
#include "stores/redis/reply_reader.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace larder::boards {

struct Place {
  std::int64_t rank = 0;  // from 1
  std::string member;
  std::int64_t score = 0;  // the whole part, if the score was written by hand
  friend bool operator==(Place const&, Place const&) = default;
};

// Reads places as ZREVRANGE ... WITHSCORES replies them. `rank` is that of the first.
std::vector<Place> read_places(redis::ReplyReader in, std::int64_t rank);

// Thread-compatible, like the Redis it uses. Throws what Redis throws. Every call is one round trip and sees
// one consistent state. `places` must be at least 1.
class Board {
 public:
  Board(redis::Redis& redis, std::string key) : redis_(redis), key_(std::move(key)) {}

  Task<void> set(std::string member, Amount score);
  // Adds to the score of a member and returns the new score. If the new score would be below 0 or above
  // limits::amount_max, returns nothing and changes nothing. A member that is not on the board starts from 0.
  // Not repeated if the outcome is unknown.
  Task<std::optional<Amount>> add(std::string member, std::int64_t by);
  Task<void> remove(std::string member);

  Task<std::int64_t> count();
  Task<std::vector<Place>> top(std::int64_t places);
  // The places around the member: places / 2 of them come before it, or fewer near the top. Empty if the
  // member is not on the board.
  Task<std::vector<Place>> around(std::string member, std::int64_t places);
  Task<std::optional<Place>> place(std::string member);

 private:
  redis::Redis& redis_;
  std::string key_;
};

}  // namespace larder::boards
