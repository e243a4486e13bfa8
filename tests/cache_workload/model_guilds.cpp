// Guilds, their lists and their members: a function for each row of the table of events.
#include "cache_workload/model.hpp"
#include "systems/cache/snowflake.hpp"

#include <algorithm>

namespace larder::cache {

namespace {

bool is_unavailable(json::object const& d) {
  auto const* const mark = d.if_contains("unavailable");
  return mark && *mark == json::value(true);
}

// The guild without the lists that have keys of their own.
json::object without_lists(json::object guild) {
  for (auto const* const list : {"channels", "threads", "roles", "emojis", "stickers", "voice_states",
                                 "members", "presences", "stage_instances", "guild_scheduled_events"}) {
    guild.erase(list);
  }
  return guild;
}

json::value* find_sound(json::array& sounds, std::string const& id) {
  auto* const found = std::ranges::find_if(
      sounds, [&](json::value const& sound) { return text_at(sound.as_object(), "sound_id") == id; });
  return found == sounds.end() ? nullptr : found;
}

}  // namespace

void Model::ready(Object const& d) {
  self_ = user(d.at("user"));
  if (auto const* const application = d.if_contains("application")) {
    merge_text("applications:" + text_at(application->as_object(), "id"), application->as_object());
  }
  Set listed;
  for (auto const& guild : array_at(d, "guilds")) listed.insert(text_at(guild.as_object(), "id"));
  auto const shard = d.at("shard").as_array().at(0).as_int64();
  for (auto const& guild : Set(sets_["guilds"])) {
    bool const mine = std::int64_t((number_of(guild) >> 22) % shards_) == shard;
    if (mine && !listed.contains(guild)) drop_guild(guild);
  }
  sets_["guilds"].insert(listed.begin(), listed.end());
}

void Model::mark_unavailable(std::string const& guild) {
  merge_text("guilds:" + guild, {{"id", guild}, {"unavailable", true}});
  sets_["guilds"].insert(guild);
}

void Model::guild_create(Object const& d) {
  auto const id = text_at(d, "id");
  if (is_unavailable(d)) return mark_unavailable(id);
  auto guild = without_lists(d);
  if (guild.contains("soundboard_sounds")) guild["soundboard_sounds"] = sounds(guild["soundboard_sounds"]);
  texts_["guilds:" + id] = std::move(guild);
  sets_["guilds"].insert(id);
  replace_hash("roles:" + id, d.if_contains("roles"), "");
  replace_hash("emojis:" + id, d.if_contains("emojis"), "user");
  replace_hash("stickers:" + id, d.if_contains("stickers"), "user");
  hashes_["channels:" + id].clear();
  for (auto const& each : array_at(d, "channels")) channel(id, each.as_object(), Keep::replace);
  for (auto const& [event, value] : hashes_["scheduled-events:" + id]) {
    sets_.erase("{scheduled-events:" + id + "}:users:" + event);
  }
  replace_hash("scheduled-events:" + id, d.if_contains("guild_scheduled_events"), "creator");
  for (auto const& where : Set(sets_["{guilds:" + id + "}:stages"])) drop_stage(id, where);
  for (auto const& each : array_at(d, "stage_instances")) stage(id, each.as_object());
  guild_members(id, d);
  hashes_["voice-states:" + id].clear();
  for (auto const& each : array_at(d, "voice_states")) voice_state(id, each.as_object());
  Set active;
  for (auto const& each : array_at(d, "threads")) {
    thread(id, each.as_object(), Keep::replace);
    active.insert(text_at(each.as_object(), "id"));
  }
  for (auto const& [thread_id, parent] : Hash(hashes_["{guilds:" + id + "}:threads"])) {
    if (!active.contains(thread_id)) drop_inactive(id, thread_id);
  }
}

// A list that has as many members as the guild replaces the members and the presences. A shorter one is
// added.
void Model::guild_members(std::string const& guild, Object const& d) {
  auto const members = array_at(d, "members");
  Set listed;
  for (auto const& each : members) {
    listed.insert(text_at(each.at("user").as_object(), "id"));
    member(guild, each.as_object(), Keep::replace);
  }
  if (d.at("member_count").as_int64() == std::int64_t(members.size())) {
    for (auto const& each : Set(sets_["members:" + guild])) {
      if (!listed.contains(each)) drop_member(guild, each);
    }
    auto& online = sets_["{guilds:" + guild + "}:presences"];
    for (auto const& each : online) texts_.erase("presence:" + guild + ":" + each);
    online.clear();
  }
  for (auto const& each : array_at(d, "presences")) presence(guild, each.as_object());
}

void Model::guild_update(Object const& d) {
  auto const id = text_at(d, "id");
  auto guild = without_lists(d);
  if (guild.contains("soundboard_sounds")) guild["soundboard_sounds"] = sounds(guild["soundboard_sounds"]);
  merge_text("guilds:" + id, guild);
  sets_["guilds"].insert(id);
  if (auto const* const roles = d.if_contains("roles")) replace_hash("roles:" + id, roles, "");
  if (auto const* const emojis = d.if_contains("emojis")) replace_hash("emojis:" + id, emojis, "user");
  if (auto const* const stickers = d.if_contains("stickers"))
    replace_hash("stickers:" + id, stickers, "user");
}

void Model::guild_delete(Object const& d) {
  if (is_unavailable(d)) return mark_unavailable(text_at(d, "id"));
  drop_guild(text_at(d, "id"));
}

void Model::role_put(Object const& d) {
  auto const& role = d.at("role").as_object();
  hashes_["roles:" + text_at(d, "guild_id")][text_at(role, "id")] = role;
}

void Model::role_delete(Object const& d) {
  auto const guild = text_at(d, "guild_id");
  auto const& gone = d.at("role_id");
  hashes_["roles:" + guild].erase(text_at(d, "role_id"));
  for (auto const& id : sets_["members:" + guild]) {
    auto& member = texts_["members:" + guild + ":" + id].as_object();
    if (!member.contains("roles")) continue;
    auto& roles = member["roles"].as_array();
    json::array left;
    for (auto const& role : roles) {
      if (role != gone) left.push_back(role);
    }
    roles = left;
  }
}

void Model::emojis_update(Object const& d) {
  replace_hash("emojis:" + text_at(d, "guild_id"), d.if_contains("emojis"), "user");
}
void Model::stickers_update(Object const& d) {
  replace_hash("stickers:" + text_at(d, "guild_id"), d.if_contains("stickers"), "user");
}

void Model::integration_put(Object const& d) {
  auto integration = d;
  integration.erase("guild_id");
  take_user(integration, "user");
  hashes_["integrations:" + text_at(d, "guild_id")][text_at(d, "id")] = integration;
}
void Model::integration_delete(Object const& d) {
  hashes_["integrations:" + text_at(d, "guild_id")].erase(text_at(d, "id"));
  auto const application = text_at(d, "application_id");
  if (!application.empty()) drop_webhooks(text_at(d, "guild_id"), "", application);
}

void Model::automod_put(Object const& d) {
  hashes_["automod-rules:" + text_at(d, "guild_id")][text_at(d, "id")] = d;
}
void Model::automod_delete(Object const& d) {
  hashes_["automod-rules:" + text_at(d, "guild_id")].erase(text_at(d, "id"));
}

void Model::event_put(Object const& d) {
  auto event = d;
  take_user(event, "creator");
  merge_objects(hashes_["scheduled-events:" + text_at(d, "guild_id")][text_at(d, "id")], event);
}
void Model::event_delete(Object const& d) {
  auto const guild = text_at(d, "guild_id");
  hashes_["scheduled-events:" + guild].erase(text_at(d, "id"));
  sets_.erase("{scheduled-events:" + guild + "}:users:" + text_at(d, "id"));
}
void Model::change_interest(Object const& d, bool interested) {
  auto const guild = text_at(d, "guild_id");
  auto const id = text_at(d, "guild_scheduled_event_id");
  auto& events = hashes_["scheduled-events:" + guild];
  if (!events.contains(id)) return;
  auto& users = sets_["{scheduled-events:" + guild + "}:users:" + id];
  bool const changed =
      interested ? users.insert(text_at(d, "user_id")).second : users.erase(text_at(d, "user_id")) > 0;
  if (!changed) return;
  auto& count = events[id].as_object()["user_count"];
  auto const before = count.is_int64() ? count.get_int64() : 0;
  count = std::max<std::int64_t>(0, before + (interested ? 1 : -1));
}
void Model::event_user_add(Object const& d) { change_interest(d, true); }
void Model::event_user_remove(Object const& d) { change_interest(d, false); }

void Model::merge_sound(std::string const& guild_id, Object sound) {
  take_user(sound, "user");
  auto* const guild = known_guild(guild_id);
  if (!guild) return;
  auto list = array_at(*guild, "soundboard_sounds");
  if (auto* const known = find_sound(list, text_at(sound, "sound_id"))) {
    merge_objects(*known, sound);
  } else {
    list.emplace_back(sound);
  }
  (*guild)["soundboard_sounds"] = list;
}
void Model::sound_put(Object const& d) { merge_sound(text_at(d, "guild_id"), d); }
void Model::sound_delete(Object const& d) {
  auto* const guild = known_guild(text_at(d, "guild_id"));
  if (!guild) return;
  auto list = array_at(*guild, "soundboard_sounds");
  if (auto* const sound = find_sound(list, text_at(d, "sound_id"))) list.erase(sound);
  (*guild)["soundboard_sounds"] = list;
}
void Model::sounds_update(Object const& d) {
  for (auto const& each : array_at(d, "soundboard_sounds"))
    merge_sound(text_at(d, "guild_id"), each.as_object());
}
void Model::sounds_replace(Object const& d) {
  auto list = sounds(d.at("soundboard_sounds"));
  if (auto* const guild = known_guild(text_at(d, "guild_id"))) (*guild)["soundboard_sounds"] = list;
}

void Model::count_member(std::string const& guild, std::int64_t change) {
  auto* const object = known_guild(guild);
  if (!object || !object->contains("member_count")) return;
  auto& count = (*object)["member_count"];
  count = std::max<std::int64_t>(0, count.as_int64() + change);
}

void Model::member_add(Object const& d) {
  auto const guild = text_at(d, "guild_id");
  if (!sets_["members:" + guild].contains(text_at(d.at("user").as_object(), "id"))) count_member(guild, 1);
  member(guild, d, Keep::replace);
}
void Model::member_update(Object const& d) { member(text_at(d, "guild_id"), d, Keep::merge); }
void Model::member_remove(Object const& d) {
  auto const guild = text_at(d, "guild_id");
  auto const id = user(d.at("user"));
  if (sets_["members:" + guild].contains(id)) count_member(guild, -1);
  drop_member(guild, id);
}
void Model::members_chunk(Object const& d) {
  auto const guild = text_at(d, "guild_id");
  for (auto const& each : array_at(d, "members")) member(guild, each.as_object(), Keep::replace);
  for (auto const& each : array_at(d, "presences")) presence(guild, each.as_object());
}

void Model::ban_add(Object const& d) {
  auto const id = user(d.at("user"));
  texts_.try_emplace("bans:" + text_at(d, "guild_id") + ":" + id, nullptr);
  sets_["{guilds:" + text_at(d, "guild_id") + "}:bans"].insert(id);
}
void Model::ban_remove(Object const& d) {
  auto const id = user(d.at("user"));
  texts_.erase("bans:" + text_at(d, "guild_id") + ":" + id);
  sets_["{guilds:" + text_at(d, "guild_id") + "}:bans"].erase(id);
}

void Model::presence_update(Object const& d) { presence(text_at(d, "guild_id"), d); }
void Model::voice_state_update(Object const& d) { voice_state(text_at(d, "guild_id"), d); }
void Model::user_update(Object const& d) { user(d); }

}  // namespace larder::cache
