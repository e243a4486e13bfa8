#include "cache_workload/generator.hpp"

#include <fmt/format.h>

namespace larder::cache {

// Sometimes a guild is missing: the bot was removed from it while it was away.
Generator::Object Generator::ready() {
  json::array guilds;
  begin_.clear();
  auto const missing = sequence_ > 0 && chance(1, 2) ? random_.below(mine_.size()) : mine_.size();
  for (std::size_t i = 0; i < mine_.size(); ++i) {
    if (i == missing) {
      joined_.erase(mine_[i]);
      continue;
    }
    guilds.push_back({{"id", mine_[i]}, {"unavailable", true}});
    begin_.push_back(mine_[i]);
  }
  Object bot{{"id", user_id(0)}, {"username", "user0"}, {"discriminator", "0"}, {"bot", true}};
  return {{"v", 10},
          {"user", bot},
          {"guilds", guilds},
          {"session_id", "a session"},
          {"shard", {shard_, shards_}},
          {"application", {{"id", user_id(0)}, {"flags", 565'248}}}};
}

Generator::Object Generator::member(std::string const& id, bool with_user) {
  Object member{{"joined_at", "2024-05-06T07:08:09.123000+00:00"}, {"deaf", false}};
  if (chance(1, 2)) member["nick"] = chance(1, 4) ? json::value(nullptr) : json::value(some_text());
  auto const& roles = model_.hash("roles:" + guild_);
  if (chance(4, 5)) {
    auto& list = member["roles"].emplace_array();
    for (auto const& [role, value] : roles) {
      if (chance(1, 4)) list.emplace_back(role);
    }
  }
  if (chance(1, 3)) member["flags"] = std::int64_t(random_.below(1U << 20U)) << 40U;
  if (with_user) member["user"] = user(id);
  return odd(std::move(member));
}

Generator::Object Generator::presence(std::string const& id) {
  Object presence{{"user", user(id)},
                  {"status", chance(1, 3)   ? "offline"
                             : chance(1, 2) ? "idle"
                                            : "online"}};
  presence["client_status"] = chance(1, 2) ? Object{{"web", "idle"}} : Object();
  auto& activities = presence["activities"].emplace_array();
  if (chance(1, 2)) {
    activities.push_back({{"name", some_text()}, {"type", 0}, {"created_at", 1'790'000'000'123}});
  }
  return odd(std::move(presence));
}

Generator::Object Generator::role(std::string const& id) {
  return odd({{"id", id},
              {"name", some_text()},
              {"permissions", "18446744073709551615"},
              {"position", std::int64_t(random_.below(50))},
              {"tags", {{"premium_subscriber", nullptr}}}});
}

Generator::Object Generator::scheduled_event(std::string const& id) {
  Object event{
      {"id", id}, {"guild_id", guild_}, {"name", some_text()}, {"status", 1}, {"entity_metadata", nullptr}};
  auto const creator = any_user();
  event["creator_id"] = creator;
  if (chance(1, 2)) event["creator"] = user(creator);
  return odd(std::move(event));
}

Generator::Object Generator::sound(std::string const& id) {
  Object sound{{"sound_id", id}, {"name", some_text()}, {"volume", 0.25}, {"emoji_id", nullptr}};
  if (chance(1, 2)) sound["user"] = user(any_user());
  if (chance(1, 2)) sound["guild_id"] = guild_;
  return odd(std::move(sound));
}

Generator::Object Generator::voice_state(std::string const& id) {
  return odd({{"user_id", id},
              {"channel_id", any_channel()},
              {"session_id", "90326bd25d71d39b"},
              {"suppress", false}});
}

json::array Generator::emojis() {
  json::array list;
  for (auto count = random_.below(4); count > 0; --count) {
    list.emplace_back(
        odd({{"id", fresh_id()}, {"name", "blob"}, {"roles", json::array()}, {"user", user(any_user())}}));
  }
  return list;
}

json::array Generator::stickers() {
  json::array list;
  for (auto count = random_.below(3); count > 0; --count) {
    Object sticker{{"id", fresh_id()}, {"name", some_text()}, {"tags", "a,b"}, {"guild_id", guild_}};
    if (chance(1, 2)) sticker["user"] = user(any_user());
    list.emplace_back(odd(sticker));
  }
  return list;
}

namespace {

// Some of what exists, and something new.
template <class Make>
json::array some_of(Model::Hash const& known, Random& random, std::uint64_t new_count, Make make) {
  json::array list;
  for (auto const& [id, value] : known) {
    if (random.chance(3, 4)) list.emplace_back(make(id));
  }
  for (; new_count > 0; --new_count) list.emplace_back(make(std::string()));
  return list;
}

}  // namespace

Generator::Object Generator::guild_create() {
  joined_.insert(guild_);
  if (chance(1, 12)) return odd({{"id", guild_}, {"unavailable", true}});
  auto const known_or_new = [&](std::string const& id) { return id.empty() ? fresh_id() : id; };
  Object guild{{"id", guild_}, {"name", some_text()}, {"owner_id", any_user()}, {"unavailable", false}};
  guild["roles"] = some_of(model_.hash("roles:" + guild_), random_, 3,
                           [&](auto const& id) { return role(known_or_new(id)); });
  guild["channels"] = some_of(model_.hash("channels:" + guild_), random_, 3,
                              [&](auto const& id) { return channel(known_or_new(id)); });
  guild["threads"] = some_of(model_.hash("{guilds:" + guild_ + "}:threads"), random_, 1,
                             [&](auto const& id) { return thread(known_or_new(id), any_channel()); });
  guild["guild_scheduled_events"] =
      some_of(model_.hash("scheduled-events:" + guild_), random_, 1,
              [&](auto const& id) { return scheduled_event(known_or_new(id)); });
  guild["emojis"] = emojis();
  guild["stickers"] = stickers();
  if (chance(1, 2)) guild["soundboard_sounds"] = json::array({sound(fresh_id()), sound(fresh_id())});
  json::array members;
  json::array presences;
  json::array states;
  for (std::uint64_t i = random_.below(10); i < user_count; i += 1 + random_.below(20)) {
    members.emplace_back(member(user_id(i), true));
    // Without an id alone: a member comes with a whole user.
    members.back().as_object()["user"].as_object()["username"] =
        fmt::format("user{}", std::stoull(user_id(i)) & 0xfffU);
    if (chance(1, 3)) presences.emplace_back(presence(user_id(i)));
    if (chance(1, 6)) states.emplace_back(voice_state(user_id(i)));
  }
  bool const all = chance(1, 2);
  guild["member_count"] = std::int64_t(members.size()) + (all ? 0 : 70'000);
  guild["large"] = !all;
  guild["members"] = std::move(members);
  guild["presences"] = std::move(presences);
  guild["voice_states"] = std::move(states);
  guild["stage_instances"].emplace_array();
  if (chance(1, 2))
    guild["stage_instances"].as_array().emplace_back(
        odd({{"id", fresh_id()}, {"channel_id", any_channel()}, {"topic", some_text()}}));
  return odd(std::move(guild));
}

Generator::Object Generator::guild_update() {
  Object guild{{"id", guild_}, {"name", some_text()}};
  auto const keep = [&](std::string const& id) { return role(id.empty() ? fresh_id() : id); };
  if (chance(1, 2)) guild["roles"] = some_of(model_.hash("roles:" + guild_), random_, 1, keep);
  if (chance(1, 2)) guild["emojis"] = emojis();
  if (chance(1, 2)) guild["stickers"] = stickers();
  if (chance(1, 3)) guild["features"] = json::array();
  return guild;
}

Generator::Object Generator::guild_delete() {
  if (chance(1, 2)) return {{"id", guild_}, {"unavailable", true}};
  joined_.erase(guild_);
  Object d{{"id", guild_}};
  if (chance(1, 2)) d["unavailable"] = false;
  return d;
}

Generator::Object Generator::member_put() {
  bool const add = chance(1, 2);
  auto d = member(add || chance(1, 20) ? any_user() : any_member(), true);
  d["t"] = add ? "GUILD_MEMBER_ADD" : "GUILD_MEMBER_UPDATE";
  return d;
}

Generator::Object Generator::member_remove() { return {{"user", user(any_member())}}; }

Generator::Object Generator::members_chunk() {
  Object d{{"chunk_index", 0}, {"chunk_count", 1}, {"not_found", json::array()}};
  json::array members;
  json::array presences;
  for (auto count = random_.below(30); count > 0; --count) {
    auto const id = any_user();
    members.emplace_back(member(id, true));
    if (chance(1, 2)) presences.emplace_back(presence(id));
  }
  d["members"] = std::move(members);
  d["presences"] = std::move(presences);
  return d;
}

Generator::Object Generator::presence_update() { return presence(chance(1, 10) ? any_user() : any_member()); }

Generator::Object Generator::voice_state_update() {
  auto const id = any_member();
  auto d = voice_state(id);
  if (chance(1, 3)) d["channel_id"] = nullptr;
  if (chance(1, 2)) d["member"] = member(id, true);
  return d;
}

Generator::Object Generator::role_put() {
  bool const create = chance(1, 2);
  return {{"t", create ? "GUILD_ROLE_CREATE" : "GUILD_ROLE_UPDATE"},
          {"role", role(create ? fresh_id() : pick(model_.hash("roles:" + guild_)))}};
}

Generator::Object Generator::role_delete() { return {{"role_id", pick(model_.hash("roles:" + guild_))}}; }
Generator::Object Generator::emojis_update() { return {{"emojis", emojis()}}; }
Generator::Object Generator::stickers_update() { return {{"stickers", stickers()}}; }

Generator::Object Generator::ban() {
  if (chance(1, 2)) return {{"user", user(any_user())}};
  return {{"t", "GUILD_BAN_REMOVE"}, {"user", user(pick(model_.set("{guilds:" + guild_ + "}:bans")))}};
}

Generator::Object Generator::integration_put() {
  bool const create = chance(1, 2);
  return {{"t", create ? "INTEGRATION_CREATE" : "INTEGRATION_UPDATE"},
          {"id", create ? fresh_id() : pick(model_.hash("integrations:" + guild_))},
          {"name", some_text()},
          {"type", "discord"},
          {"user", user(any_user())},
          {"account", {{"id", "not a snowflake"}, {"name", some_text()}}}};
}

Generator::Object Generator::integration_delete() {
  Object d{{"id", pick(model_.hash("integrations:" + guild_))}};
  if (chance(1, 2)) d["application_id"] = user_id(random_.below(3));
  return d;
}

Generator::Object Generator::scheduled_event_put() {
  bool const create = chance(1, 2);
  auto d = scheduled_event(create ? fresh_id() : pick(model_.hash("scheduled-events:" + guild_)));
  d["t"] = create ? "GUILD_SCHEDULED_EVENT_CREATE" : "GUILD_SCHEDULED_EVENT_UPDATE";
  return d;
}
Generator::Object Generator::scheduled_event_delete() {
  return scheduled_event(pick(model_.hash("scheduled-events:" + guild_)));
}
Generator::Object Generator::scheduled_event_user() {
  return {{"t", chance(1, 2) ? "GUILD_SCHEDULED_EVENT_USER_ADD" : "GUILD_SCHEDULED_EVENT_USER_REMOVE"},
          {"guild_scheduled_event_id", pick(model_.hash("scheduled-events:" + guild_))},
          {"user_id", user_id(1 + random_.below(8))}};
}

Generator::Object Generator::automod_put() {
  bool const create = chance(1, 2);
  return {{"t", create ? "AUTO_MODERATION_RULE_CREATE" : "AUTO_MODERATION_RULE_UPDATE"},
          {"id", create ? fresh_id() : pick(model_.hash("automod-rules:" + guild_))},
          {"name", some_text()},
          {"trigger_metadata", {{"keyword_filter", json::array()}}},
          {"exempt_roles", json::array()}};
}
Generator::Object Generator::automod_delete() {
  return {{"id", pick(model_.hash("automod-rules:" + guild_))}, {"name", "gone"}};
}

std::string Generator::any_sound() {
  auto const* const guild = model_.text("guilds:" + guild_);
  auto const sounds = guild ? array_at(guild->as_object(), "soundboard_sounds") : json::array();
  return sounds.empty() || chance(1, 20)
             ? fresh_id()
             : text_at(sounds[random_.below(sounds.size())].as_object(), "sound_id");
}
Generator::Object Generator::sound_put() {
  bool const create = chance(1, 2);
  auto d = sound(create ? fresh_id() : any_sound());
  d["t"] = create ? "GUILD_SOUNDBOARD_SOUND_CREATE" : "GUILD_SOUNDBOARD_SOUND_UPDATE";
  return d;
}
Generator::Object Generator::sound_delete() { return {{"sound_id", any_sound()}}; }
Generator::Object Generator::sounds() {
  Object d;
  if (chance(2, 3)) d["t"] = "GUILD_SOUNDBOARD_SOUNDS_UPDATE";
  auto& list = d["soundboard_sounds"].emplace_array();
  auto const known = any_sound();
  if (chance(4, 5)) list.emplace_back(sound(known));
  if (chance(1, 2)) list.emplace_back(sound(fresh_id()));
  return d;
}

}  // namespace larder::cache
