#include "cache_events.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

namespace larder::bench {

namespace {

std::string dispatch_of(std::string_view name, std::string const& data, std::int64_t sequence) {
  return fmt::format(R"({{"t":"{}","s":{},"op":0,"d":{}}})", name, sequence, data);
}

std::string role(std::uint64_t id, int number) {
  return fmt::format(
      R"({{"id":"{}","name":"role {}","description":null,"permissions":"{}","position":{},"color":{},"hoist":false,)"
      R"("managed":false,"mentionable":true,"icon":null,"unicode_emoji":null,"flags":0}})",
      id, number, 1'071'698'660'929ULL + std::uint64_t(number), number, number * 1000);
}

std::string list(int count, auto make) {
  std::string out = "[";
  for (int i = 0; i < count; ++i) {
    if (i > 0) out += ',';
    out += make(i);
  }
  return out + "]";
}

}  // namespace

std::string CacheEvents::dispatch(std::string_view name, std::string const& data) {
  return dispatch_of(name, data, ++sequence_);
}

std::string CacheEvents::user(int number) const {
  return fmt::format(
      R"({{"id":"{}","username":"player_{}","global_name":"Player {}","avatar":"a{:031x}","discriminator":"0",)"
      R"("bot":false,"public_flags":64,"avatar_decoration_data":null,"primary_guild":null}})",
      user_id(number), number, number, number);
}

std::string CacheEvents::member(int number) const {
  return fmt::format(
      R"({{"user":{},"nick":"nick {}","avatar":null,"roles":["{}","{}"],"joined_at":"2024-03-05T12:33:44.123000+00:00",)"
      R"("premium_since":null,"deaf":false,"mute":false,"flags":0,"pending":false,"communication_disabled_until":null}})",
      user(number), number, guild_id(0) + 2001, guild_id(0) + 2002);
}

std::string CacheEvents::channel(int guild, int number) const {
  return fmt::format(
      R"({{"id":"{}","guild_id":"{}","type":0,"name":"channel-{}","position":{},"topic":"What this channel is about, )"
      R"(in a sentence or two.","nsfw":false,"rate_limit_per_user":0,"parent_id":null,"last_message_id":null,"flags":0,)"
      R"("permission_overwrites":[{{"id":"{}","type":0,"allow":"1024","deny":"2048"}},)"
      R"({{"id":"{}","type":0,"allow":"2048","deny":"0"}}]}})",
      channel_id(guild, number), guild_id(guild), number, number, guild_id(guild), guild_id(guild) + 2001);
}

std::string CacheEvents::message_object(std::uint64_t id, int guild, int channel, int author) const {
  return fmt::format(
      R"({{"id":"{}","channel_id":"{}","guild_id":"{}","type":0,"author":{},"member":{{"nick":"nick {}","roles":["{}"],)"
      R"("joined_at":"2024-03-05T12:33:44.123000+00:00","deaf":false,"mute":false,"flags":0,"avatar":null,"pending":false}},)"
      R"("content":"A message of an ordinary length, such as people write to each other all day long, with number {}.",)"
      R"("timestamp":"2025-06-07T08:09:10.111000+00:00","edited_timestamp":null,"tts":false,"mention_everyone":false,)"
      R"("mentions":[],"mention_roles":[],"attachments":[],"embeds":[],"components":[],"pinned":false,"flags":0,"nonce":"{}"}})",
      id, channel_id(guild, channel), guild_id(guild), user(author), author, guild_id(0) + 2001, id, id + 7);
}

std::string CacheEvents::guild_create(int guild, int members) const {
  auto const id = guild_id(guild);
  auto const first = user_of(guild, 0);
  return dispatch_of(
      "GUILD_CREATE",
      fmt::format(
          R"({{"id":"{}","name":"Guild {}","icon":null,"owner_id":"{}","member_count":{},"large":false,"unavailable":false,)"
          R"("joined_at":"2024-01-01T00:00:00.000000+00:00","features":["COMMUNITY"],"premium_tier":1,"nsfw_level":0,)"
          R"("preferred_locale":"en-US","verification_level":1,"mfa_level":0,"system_channel_id":null,"description":null,)"
          R"("channels":{},"roles":{},"members":{},"presences":[],"voice_states":[],"threads":[],"emojis":[],"stickers":[],)"
          R"("stage_instances":[],"guild_scheduled_events":[],"soundboard_sounds":[]}})",
          id, guild, user_id(first), members, list(size_.channels, [&](int i) { return channel(guild, i); }),
          list(size_.roles, [&](int i) { return role(id + (i == 0 ? 0 : 2000 + std::uint64_t(i)), i); }),
          list(members, [&](int i) { return member(user_of(guild, i)); })),
      1);
}

std::string CacheEvents::presence(int guild, int member) {
  return dispatch(
      "PRESENCE_UPDATE",
      fmt::format(
          R"({{"user":{{"id":"{}"}},"guild_id":"{}","status":"{}","activities":[{{"id":"c{}","type":0,"name":"A game",)"
          R"("created_at":{},"state":"In a match","details":"Round {}","timestamps":{{"start":{}}},"assets":{{"large_image":)"
          R"("1234567890123456789","large_text":"The large text"}}}}],"client_status":{{"desktop":"online"}}}})",
          user_id(user_of(guild, member)), guild_id(guild), some(2) == 0 ? "online" : "idle", sequence_,
          1'750'000'000'000LL + sequence_, sequence_, 1'750'000'000'000LL + sequence_));
}

std::string CacheEvents::message() {
  int const guild = some_guild();
  next_message_ += 4'194'304ULL;
  return dispatch("MESSAGE_CREATE", message_object(next_message_, guild, some(size_.channels),
                                                   user_of(guild, some(size_.members))));
}

std::string CacheEvents::voice_state() {
  int const guild = some_guild();
  int const user = user_of(guild, some(size_.members));
  auto const channel = some(4) == 0 ? "null" : fmt::format("\"{}\"", channel_id(guild, some(size_.channels)));
  return dispatch(
      "VOICE_STATE_UPDATE",
      fmt::format(
          R"({{"guild_id":"{}","channel_id":{},"user_id":"{}","member":{},"session_id":"{:032x}","deaf":false,"mute":false,)"
          R"("self_deaf":false,"self_mute":true,"self_video":false,"suppress":false,"request_to_speak_timestamp":null}})",
          guild_id(guild), channel, user_id(user), member(user), sequence_));
}

std::string CacheEvents::member_update() {
  int const guild = some_guild();
  auto text = member(user_of(guild, some(size_.members)));
  text.insert(1, fmt::format(R"("guild_id":"{}",)", guild_id(guild)));
  return dispatch("GUILD_MEMBER_UPDATE", text);
}

std::string CacheEvents::reaction() {
  int const guild = some_guild();
  auto const message = next_message_ - 4'194'304ULL * std::uint64_t(some(20));
  return dispatch(
      "MESSAGE_REACTION_ADD",
      fmt::format(
          R"({{"user_id":"{}","channel_id":"{}","message_id":"{}","guild_id":"{}","emoji":{{"id":null,"name":"👍"}},)"
          R"("burst":false,"type":0}})",
          user_id(user_of(guild, some(size_.members))), channel_id(guild, some(size_.channels)), message,
          guild_id(guild)));
}

std::string CacheEvents::channel_update() {
  int const guild = some_guild();
  return dispatch("CHANNEL_UPDATE", channel(guild, some(size_.channels)));
}

std::string CacheEvents::mixed() {
  auto const draw = some(100);
  if (draw < 60) return presence();
  if (draw < 80) return message();
  if (draw < 85) return voice_state();
  if (draw < 90) return member_update();
  if (draw < 96) return reaction();
  if (draw < 98) return channel_update();
  return dispatch("TYPING_START",
                  fmt::format(R"({{"channel_id":"{}","user_id":"{}","timestamp":1750000000}})",
                              channel_id(0, 0), user_id(0)));
}

std::string CacheEvents::of_kind(std::string_view kind) {
  if (kind == "presence") return presence();
  if (kind == "message") return message();
  if (kind == "voice state") return voice_state();
  if (kind == "member update") return member_update();
  if (kind == "reaction") return reaction();
  if (kind == "channel update") return channel_update();
  LARDER_ASSERT(kind == "mixed");
  return mixed();
}

}  // namespace larder::bench
