#include "systems/cache/event_rules.hpp"

#include <algorithm>
#include <set>

namespace larder::cache::rules {

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// The lists that GUILD_CREATE carries in addition to the guild itself.
constexpr std::string_view guild_lists[] = {
    "channels",     "threads", "roles",     "emojis",          "stickers",
    "voice_states", "members", "presences", "stage_instances", "guild_scheduled_events"};

// Makes a hash contain exactly what an array of the event has. `take` splits an element of the array.
template <class Take>
Result<void> replace_all(Happened const& happened, Resource resource, std::string hash,
                         std::vector<std::string_view> const& elements, Take take) {
  Pairs pairs;
  for (auto const element : elements) {
    TRY(Part const part, take(element));
    pairs.emplace_back(part.id, part.object.text());
  }
  auto& objects = happened.objects;
  if (objects.keeps(resource)) {
    objects.workspace().replace_hash(std::move(hash), std::move(pairs), objects.ttl(resource));
  }
  return {};
}

Result<void> replace_roles(Happened const& happened, Id guild) {
  TRY(auto const roles, array_in(happened.d, "roles"));
  return replace_all(happened, Resource::roles, happened.keys().roles(guild), roles,
                     [&](std::string_view role) { return happened.objects.take_simple(role, "role"); });
}
Result<void> replace_emojis(Happened const& happened, Id guild) {
  TRY(auto const emojis, array_in(happened.d, "emojis"));
  return replace_all(
      happened, Resource::emojis, happened.keys().emojis(guild), emojis,
      [&](std::string_view emoji) { return happened.objects.take_simple(emoji, "emoji", "user"); });
}
Result<void> replace_stickers(Happened const& happened, Id guild) {
  TRY(auto const stickers, array_in(happened.d, "stickers"));
  return replace_all(
      happened, Resource::stickers, happened.keys().stickers(guild), stickers,
      [&](std::string_view sticker) { return happened.objects.take_simple(sticker, "sticker", "user"); });
}

Result<void> replace_channels(Happened const& happened, Id guild) {
  auto const& keys = happened.keys();
  TRY(auto const channels, array_in(happened.d, "channels"));
  for (auto const& gone : happened.workspace().fields(keys.channels(guild))) {
    happened.workspace().remove_text(keys.guild_of(gone));
  }
  return replace_all(happened, Resource::channels, keys.channels(guild), channels,
                     [&](std::string_view channel) {
                       auto part = happened.objects.take_channel(guild, channel);
                       if (part) happened.objects.note_channel(guild, part->id);
                       return part;
                     });
}

// The guild without its lists. The sounds of its soundboard have no key of their own.
Result<RawObject> guild_alone(Happened const& happened) {
  TRY(auto guild, object_in(happened.text, "guild"));
  for (auto const list : guild_lists) guild.erase(list);
  if (is_array(guild.find("soundboard_sounds"))) {
    TRY(auto sounds, happened.objects.take_sounds(guild.find("soundboard_sounds")));
    guild.set("soundboard_sounds", std::move(sounds));
  }
  return guild;
}

void mark_unavailable(Happened const& happened, Id guild) {
  if (!happened.objects.keeps(Resource::guilds)) return;
  RawObject mark;
  mark.set("id", fmt::format("\"{}\"", guild));
  mark.set("unavailable", "true");
  happened.objects.merge_text(happened.keys().guild(guild), mark, Resource::guilds);
  happened.workspace().add(happened.keys().guilds(), guild, Role::list,
                           happened.objects.ttl(Resource::guilds));
}

// Threads that are no longer active are gone from the cache, unless they are archived.
void drop_inactive_threads(Happened const& happened, Id guild,
                           std::set<std::string, std::less<>> const& active) {
  auto& workspace = happened.workspace();
  for (auto const& thread : workspace.fields(happened.keys().threads_of(guild))) {
    if (!active.contains(thread)) drop_inactive_thread(happened, guild, thread);
  }
}

Result<void> put_members(Happened const& happened, Id guild) {
  auto& objects = happened.objects;
  auto& workspace = happened.workspace();
  auto const& keys = happened.keys();
  TRY(auto const members, array_in(happened.d, "members"));
  TRY(auto const presences, array_in(happened.d, "presences"));
  auto const count = int_in(happened.d.find("member_count"));
  bool const all = count && std::int64_t(members.size()) >= *count && !members.empty();
  std::set<std::string, std::less<>> present;
  for (auto const value : members) {
    TRY(auto const user, objects.put_member(guild, value, Put::replace));
    present.emplace(user);
  }
  std::set<std::string, std::less<>> online;
  for (auto const value : presences) {
    TRY(auto const user, objects.put_presence(guild, value));
    online.emplace(user);
  }
  if (!all) return {};
  Cascade cascade(objects);
  for (auto const& user : workspace.elements(keys.members(guild))) {
    if (!present.contains(user)) cascade.member(guild, user);
  }
  for (auto const& user : workspace.elements(keys.presences_of(guild))) {
    if (online.contains(user)) continue;
    workspace.remove_text(keys.presence(guild, user));
    workspace.remove(keys.presences_of(guild), user, Role::index);
  }
  return {};
}

Result<void> put_stages(Happened const& happened, Id guild) {
  auto& workspace = happened.workspace();
  auto const& keys = happened.keys();
  TRY(auto const stages, array_in(happened.d, "stage_instances"));
  std::set<std::string, std::less<>> live;
  for (auto const value : stages) {
    TRY(auto const channel, happened.objects.put_stage_instance(guild, value));
    live.emplace(channel);
  }
  for (auto const& channel : workspace.elements(keys.stages_of(guild))) {
    if (live.contains(channel)) continue;
    workspace.remove_text(keys.stage_instance(channel));
    workspace.remove(keys.stages_of(guild), channel, Role::index);
  }
  return {};
}

struct Sound {
  std::string id;
  std::string text;
};

// Changes the sounds of a guild's soundboard, if the cache has the guild.
Result<void> change_sounds(Happened const& happened, std::function<void(std::vector<Sound>&)> const& change) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  change_guild(happened, guild, [&](RawObject& object) {
    std::vector<Sound> sounds;
    for (auto const value : elements_of(object.find("soundboard_sounds"))) {
      auto const sound = RawObject::parse(value);
      auto const id = sound ? id_in(sound->find("sound_id")) : std::nullopt;
      if (id) sounds.push_back({std::string(*id), std::string(value)});
    }
    change(sounds);
    std::vector<std::string_view> texts;
    for (auto const& sound : sounds) texts.push_back(sound.text);
    object.set("soundboard_sounds", array_of(texts));
  });
  return {};
}

Result<void> merge_sounds(Happened const& happened, std::vector<std::string_view> const& values,
                          bool keep_others) {
  if (values.size() > limits::sounds_max) {
    return std::unexpected(
        Error{.code = errors::invalid_dispatch,
              .detail = fmt::format("soundboard_sounds may have at most {} sounds", limits::sounds_max),
              .field = "soundboard_sounds"});
  }
  std::vector<Part> newer;
  for (auto const value : values) {
    TRY(auto sound, happened.objects.take_simple(value, "sound", "user", "sound_id"));
    newer.push_back(std::move(sound));
  }
  return change_sounds(happened, [&](std::vector<Sound>& sounds) {
    if (!keep_others) sounds.clear();
    for (auto const& each : newer) {
      auto const found = std::ranges::find(sounds, each.id, &Sound::id);
      auto& place = found == sounds.end() ? sounds.emplace_back(Sound{std::string(each.id), "{}"}) : *found;
      place.text = merge_into(place.text, each.object);
    }
  });
}

Result<void> count_interest(Happened const& happened, bool interested) {
  auto const& d = happened.d;
  auto& workspace = happened.workspace();
  TRY(auto const guild, id_of(d, "guild_id"));
  TRY(auto const event, id_of(d, "guild_scheduled_event_id"));
  TRY(auto const user, id_of(d, "user_id"));
  if (!happened.objects.keeps(Resource::scheduled_events)) return {};
  auto const set = happened.keys().interested(guild, event);
  auto const hash = happened.keys().scheduled_events(guild);
  std::string text;
  auto object = stored_object(workspace.field(hash, event), text);
  if (!object || workspace.has(set, user) == interested) return {};
  auto const ttl = happened.objects.ttl(Resource::scheduled_events);
  if (interested) {
    workspace.add(set, user, Role::object, ttl);
  } else {
    workspace.remove(set, user, Role::object);
  }
  add_to(*object, "user_count", interested ? 1 : -1);
  workspace.set_field(hash, event, object->text(), ttl);
  return {};
}

}  // namespace

Result<void> ready(Happened const& happened) {
  auto& objects = happened.objects;
  auto& workspace = happened.workspace();
  auto const& keys = happened.keys();
  TRY(auto const user, objects.put_user(happened.d.find("user")));
  if (auto const owner = objects.self(); owner && *owner != user) {
    // The guilds of the other bot would be removed.
    return std::unexpected(
        Error{.code = errors::another_bot,
              .detail = fmt::format("this cache belongs to the bot {}: start another Larder with another "
                                    "cache.prefix, or purge this cache",
                                    *owner),
              .field = "user"});
  }
  workspace.set_text(keys.self(), std::string(user), {});
  if (is_object(happened.d.find("application")))
    TRY_DO(objects.put_application(happened.d.find("application")));
  TRY(auto const guilds, array_in(happened.d, "guilds"));
  auto const shard = elements_of(happened.d.find("shard"));
  auto const number = shard.size() == 2 ? int_in(shard[0]) : std::optional<std::int64_t>(0);
  auto const count = shard.size() == 2 ? int_in(shard[1]) : std::optional<std::int64_t>(1);
  if (!number || !count || *number < 0 || *count <= *number) {
    return std::unexpected(Error{.code = errors::invalid_dispatch,
                                 .detail = "shard must be [number, count], with the number below the count",
                                 .field = "shard"});
  }
  std::set<std::string, std::less<>> listed;
  for (auto const value : guilds) {
    TRY(auto const guild, object_in(value, "guilds"));
    TRY(auto const id, id_of(guild, "id"));
    listed.emplace(id);
    if (objects.keeps(Resource::guilds)) {
      workspace.add(keys.guilds(), id, Role::list, objects.ttl(Resource::guilds));
    }
  }
  for (auto const& id : workspace.elements(keys.guilds())) {
    if (listed.contains(id) || !is_snowflake(id)) continue;
    if ((number_of(id) >> 22) % std::uint64_t(*count) != std::uint64_t(*number)) continue;
    workspace.remove(keys.guilds(), id, Role::list);
    workspace.remove_text(keys.guild(id));
    happened.finish(false, {.kind = CascadeJob::Kind::guild, .guild = id});
  }
  return {};
}

Result<void> guild_create(Happened const& happened) {
  auto& objects = happened.objects;
  auto const& keys = happened.keys();
  TRY(auto const id, id_of(happened.d, "id"));
  if (is_true(happened.d.find("unavailable"))) {
    mark_unavailable(happened, id);
    return {};
  }
  TRY(auto const guild, guild_alone(happened));
  if (objects.keeps(Resource::guilds)) {
    happened.workspace().set_text(keys.guild(id), guild.text(), objects.ttl(Resource::guilds));
    happened.workspace().add(keys.guilds(), id, Role::list, objects.ttl(Resource::guilds));
  }
  TRY_DO(replace_roles(happened, id));
  TRY_DO(replace_emojis(happened, id));
  TRY_DO(replace_stickers(happened, id));
  TRY_DO(replace_channels(happened, id));
  TRY(auto const states, array_in(happened.d, "voice_states"));
  TRY_DO(replace_all(happened, Resource::voice_states, keys.voice_states(id), states,
                     [&](std::string_view state) { return objects.take_voice_state(id, state); }));
  // The event says how many users are interested, but not who. So counting begins anew.
  for (auto const& event : happened.workspace().fields(keys.scheduled_events(id))) {
    happened.workspace().clear(keys.interested(id, event));
  }
  TRY(auto const events, array_in(happened.d, "guild_scheduled_events"));
  TRY_DO(replace_all(
      happened, Resource::scheduled_events, keys.scheduled_events(id), events,
      [&](std::string_view event) { return objects.take_simple(event, "scheduled event", "creator"); }));
  TRY_DO(put_stages(happened, id));
  TRY_DO(put_members(happened, id));
  TRY(auto const threads, array_in(happened.d, "threads"));
  std::set<std::string, std::less<>> active;
  for (auto const value : threads) {
    TRY(auto const thread, objects.put_thread(id, value, Put::replace));
    active.emplace(thread);
  }
  drop_inactive_threads(happened, id, active);
  return {};
}

Result<void> guild_update(Happened const& happened) {
  TRY(auto const id, id_of(happened.d, "id"));
  TRY(auto const guild, guild_alone(happened));
  if (happened.objects.keeps(Resource::guilds)) {
    happened.objects.merge_text(happened.keys().guild(id), guild, Resource::guilds);
    happened.workspace().add(happened.keys().guilds(), id, Role::list,
                             happened.objects.ttl(Resource::guilds));
  }
  if (happened.d.has("roles")) TRY_DO(replace_roles(happened, id));
  if (happened.d.has("emojis")) TRY_DO(replace_emojis(happened, id));
  if (happened.d.has("stickers")) TRY_DO(replace_stickers(happened, id));
  return {};
}

Result<void> guild_delete(Happened const& happened) {
  TRY(auto const id, id_of(happened.d, "id"));
  if (is_true(happened.d.find("unavailable"))) {
    mark_unavailable(happened, id);
    return {};
  }
  Cascade cascade(happened.objects);
  happened.finish(cascade.guild(id), {.kind = CascadeJob::Kind::guild, .guild = std::string(id)});
  return {};
}

Result<void> emojis_update(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  return replace_emojis(happened, guild);
}

Result<void> stickers_update(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  return replace_stickers(happened, guild);
}

Result<void> sound_put(Happened const& happened) { return merge_sounds(happened, {happened.text}, true); }

Result<void> sound_delete(Happened const& happened) {
  TRY(auto const id, id_of(happened.d, "sound_id"));
  return change_sounds(happened, [&](std::vector<Sound>& sounds) {
    std::erase_if(sounds, [&](Sound const& sound) { return sound.id == id; });
  });
}

Result<void> sounds_update(Happened const& happened) {
  TRY(auto const values, array_in(happened.d, "soundboard_sounds"));
  return values.empty() ? Result<void>() : merge_sounds(happened, values, true);
}

Result<void> sounds_replace(Happened const& happened) {
  TRY(auto const values, array_in(happened.d, "soundboard_sounds"));
  return merge_sounds(happened, values, false);
}

Result<void> role_put(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto role, happened.objects.take_simple(happened.d.find("role"), "role"));
  happened.workspace().remove(happened.keys().gone_roles(guild), role.id, Role::index);
  happened.objects.put_field(Resource::roles, happened.keys().roles(guild), std::move(role), Put::replace);
  return {};
}

// Members that have the role are changed later, in batches. Until then, readers leave the role out.
Result<void> role_delete(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const role, id_of(happened.d, "role_id"));
  happened.workspace().remove_field(happened.keys().roles(guild), role);
  if (!happened.objects.keeps(Resource::members)) return {};
  happened.workspace().add(happened.keys().gone_roles(guild), role, Role::index);
  happened.finish(false,
                  {.kind = CascadeJob::Kind::role, .guild = std::string(guild), .id = std::string(role)});
  return {};
}

Result<void> integration_put(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto integration, happened.objects.take_simple(happened.text, "integration", "user"));
  integration.object.erase("guild_id");
  happened.objects.put_field(Resource::integrations, happened.keys().integrations(guild),
                             std::move(integration), Put::replace);
  return {};
}

Result<void> integration_delete(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const id, id_of(happened.d, "id"));
  TRY(auto const application, optional_id_of(happened.d, "application_id"));
  happened.workspace().remove_field(happened.keys().integrations(guild), id);
  if (application) Cascade(happened.objects).webhooks(guild, std::nullopt, application);
  return {};
}

Result<void> automod_put(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto rule, happened.objects.take_simple(happened.text, "rule"));
  happened.objects.put_field(Resource::automod_rules, happened.keys().automod_rules(guild), std::move(rule),
                             Put::replace);
  return {};
}

Result<void> automod_delete(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const id, id_of(happened.d, "id"));
  happened.workspace().remove_field(happened.keys().automod_rules(guild), id);
  return {};
}

// Updates do not carry the count of users, so they are merged.
Result<void> scheduled_event_put(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto event, happened.objects.take_simple(happened.text, "scheduled event", "creator"));
  happened.objects.put_field(Resource::scheduled_events, happened.keys().scheduled_events(guild),
                             std::move(event), Put::merge);
  return {};
}

Result<void> scheduled_event_delete(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const id, id_of(happened.d, "id"));
  happened.workspace().remove_field(happened.keys().scheduled_events(guild), id);
  happened.workspace().clear(happened.keys().interested(guild, id));
  return {};
}

Result<void> scheduled_event_user_add(Happened const& happened) { return count_interest(happened, true); }
Result<void> scheduled_event_user_remove(Happened const& happened) { return count_interest(happened, false); }

}  // namespace larder::cache::rules
