// Draws the events of one shard, as Discord could send them. Most events name what exists; some name what
// nobody knows. What the events say about a user never changes, so the order in which shards are applied does
// not matter.
#pragma once

#include "base/random.hpp"
#include "cache_workload/model.hpp"

namespace larder::cache {

// What is the same for all shards.
std::vector<std::string> all_guilds();
std::string user_id(std::uint64_t number);  // 0: the bot itself
inline constexpr std::uint64_t user_count = 200;

// JSON with white space, and with escapes where they change nothing.
std::string written(json::value const& value, Random& random);

class Generator {
 public:
  using Object = json::object;

  Generator(Seed seed, std::uint64_t shard, std::uint64_t shards, Model const& model);

  // The next event, {t, d, s, shard}. The caller applies it to the model before the next call.
  Object next();
  bool wants_webhook() { return !joined_.empty() && random_.chance(1, 150); }
  Object webhook();
  Random& random() { return random_; }

 private:
  using Draw = Object (Generator::*)();
  struct Kind {
    std::string_view name;
    std::uint64_t weight;
    Draw draw;
  };
  static std::vector<Kind> const& kinds();
  Object event(std::string_view name, Object d);
  Object next_of_guild();
  Object next_direct();

  // generator.cpp
  std::string fresh_id();
  std::string pick(Model::Set const& ids);  // mostly one of these
  std::string pick(Model::Hash const& ids);
  std::string any_user() { return user_id(1 + random_.below(user_count)); }
  std::string any_member() { return pick(model_.set("members:" + guild_)); }
  std::string any_channel() { return pick(model_.hash("channels:" + guild_)); }
  std::string any_thread() { return pick(model_.hash("{guilds:" + guild_ + "}:threads")); }
  std::string any_place() { return random_.chance(1, 4) ? any_thread() : any_channel(); }
  std::string some_text();
  Object odd(Object object);  // sometimes with fields that nobody knows
  Object user(std::string const& id);
  Object emoji();
  bool chance(std::uint64_t numerator, std::uint64_t denominator) {
    return random_.chance(numerator, denominator);
  }

  // generator_guild.cpp
  Object ready();
  Object guild_create();
  Object guild_update();
  Object guild_delete();
  Object member(std::string const& id, bool with_user);
  Object presence(std::string const& id);
  Object role(std::string const& id);
  Object scheduled_event(std::string const& id);
  Object sound(std::string const& id);
  Object voice_state(std::string const& id);
  json::array emojis();
  json::array stickers();
  Object member_put();
  Object member_remove();
  Object members_chunk();
  Object presence_update();
  Object voice_state_update();
  Object role_put();
  Object role_delete();
  Object emojis_update();
  Object stickers_update();
  Object ban();
  Object integration_put();
  Object integration_delete();
  Object scheduled_event_put();
  Object scheduled_event_delete();
  Object scheduled_event_user();
  Object automod_put();
  Object automod_delete();
  Object sound_put();
  Object sound_delete();
  Object sounds();
  std::string any_sound();

  // generator_channel.cpp
  Object channel(std::string const& id);
  Object thread(std::string const& id, std::string const& parent);
  Object channel_put();
  Object channel_delete();
  Object pins_update();
  Object voice_channel_status();
  Object voice_channel_start();
  Object thread_put();
  Object thread_delete();
  Object thread_list_sync();
  Object thread_member_update();
  Object thread_members_update();
  Object stage_put();
  Object stage_delete();
  Object invite_create();
  Object invite_delete();
  Object webhooks_update();

  // generator_message.cpp
  Object message(std::string const& id, std::string const& channel);
  Object message_create();
  Object message_update();
  Object message_delete();
  Object message_delete_bulk();
  Object reaction();
  Object reaction_remove_all();
  Object reaction_remove_emoji();
  Object vote();
  Object interaction();
  Object resolved();
  Object user_update();

  Random random_;
  std::uint64_t shard_;
  std::uint64_t shards_;
  Model const& model_;
  std::vector<std::string> mine_;  // the guilds of this shard
  Model::Set joined_;              // those that have the bot
  std::string guild_;              // the one that the next event is about; empty: direct messages
  std::uint64_t ids_ = 0;
  std::int64_t sequence_ = 0;
  std::vector<std::string> begin_;  // guilds that GUILD_CREATE has not come for yet
};

}  // namespace larder::cache
