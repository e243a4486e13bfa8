// Events of Discord's gateway as a real bot gets them, in size and in shape.
#pragma once

#include "base/random.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace larder::bench {

class CacheEvents {
 public:
  struct Size {
    int guilds = 100;
    int members = 50;  // of each guild
    int channels = 20;
    int roles = 10;
  };
  explicit CacheEvents(Size size) : size_(size) {}

  // Each is a whole dispatch: {"t": ..., "d": ..., "s": ...}.
  std::string guild_create(int guild, int members) const;
  std::string guild_create(int guild) const { return guild_create(guild, size_.members); }
  std::string presence() { return presence(some_guild(), some(size_.members)); }
  std::string presence(int guild, int member);
  std::string message();
  std::string voice_state();
  std::string member_update();
  std::string reaction();
  std::string channel_update();
  // From now on, events are only about the guilds of this shard: a guild's events come from one shard.
  void choose_shard(int shard, int shards) {
    shard_ = shard;
    shards_ = shards;
  }
  // 60 % presences, 20 % messages, 10 % voice states and members, 10 % others.
  std::string mixed();
  std::string of_kind(std::string_view kind);  // "presence", ..., "mixed"

  // Objects alone, to compare their size with what Redis needs for them.
  std::string user(int number) const;
  std::string member(int number) const;
  std::string channel(int guild, int number) const;
  std::string message_object(std::uint64_t id, int guild, int channel, int author) const;

  std::uint64_t guild_id(int guild) const {
    return 100'000'000'000'000'000ULL + std::uint64_t(guild) * 4'194'304ULL;
  }
  std::uint64_t channel_id(int guild, int channel) const {
    return guild_id(guild) + 1000 + std::uint64_t(channel);
  }
  // A user is a member of a few guilds that follow each other.
  std::uint64_t user_id(int number) const { return 200'000'000'000'000'000ULL + std::uint64_t(number); }
  int user_of(int guild, int member) const { return guild * size_.members / 2 + member; }

  Size const& size() const { return size_; }

 private:
  std::string dispatch(std::string_view name, std::string const& data);
  int some(int below) { return int(random_.below(std::uint64_t(below))); }

  int some_guild() { return std::min(some(size_.guilds / shards_) * shards_ + shard_, size_.guilds - 1); }

  Size size_;
  int shard_ = 0;
  int shards_ = 1;
  Random random_{Seed{1}};
  std::uint64_t next_message_ = 1'300'000'000'000'000'000ULL;
  mutable std::int64_t sequence_ = 0;
};

}  // namespace larder::bench
