// How objects are stored: a nested object with a key of its own goes there, and its parent keeps the id.
#include "cache_workload/model.hpp"

namespace larder::cache {

std::string text_at(json::object const& object, std::string_view name) {
  auto const* const value = object.if_contains(name);
  return value && value->is_string() ? std::string(value->get_string()) : "";
}

json::array array_at(json::object const& object, std::string_view name) {
  auto const* const value = object.if_contains(name);
  return value && value->is_array() ? value->get_array() : json::array();
}

void merge_objects(json::value& into, json::object const& newer) {
  if (!into.is_object()) into.emplace_object();
  for (auto const& [name, value] : newer) into.get_object()[name] = value;
}

namespace {

bool has_object(json::object const& object, std::string_view name) {
  auto const* const value = object.if_contains(name);
  return value && value->is_object();
}

}  // namespace

void Model::merge_text(std::string const& name, Object const& newer) { merge_objects(texts_[name], newer); }

// A user that is only an id says nothing.
std::string Model::user(json::value const& value) {
  auto const& object = value.as_object();
  auto id = text_at(object, "id");
  if (object.size() > 1) merge_text("users:" + id, object);
  return id;
}

void Model::take_user(Object& object, std::string_view field) {
  if (has_object(object, field)) object[field] = user(object[field]);
}

void Model::member(std::string const& guild, Object member, Keep keep, std::string user_id) {
  if (has_object(member, "user")) user_id = user(member["user"]);
  sets_["members:" + guild].insert(user_id);
  sets_["{users:" + user_id + "}:guilds"].insert(guild);
  member["user"] = user_id;
  member.erase("guild_id");
  auto const name = "members:" + guild + ":" + user_id;
  if (keep == Keep::replace) texts_.erase(name);
  merge_text(name, member);
}

void Model::presence(std::string const& guild, Object presence) {
  auto const id = user(presence["user"]);
  auto const name = "presence:" + guild + ":" + id;
  if (text_at(presence, "status") == "offline") {
    texts_.erase(name);
    sets_["{guilds:" + guild + "}:presences"].erase(id);
    return;
  }
  presence["user"] = id;
  presence["guild_id"] = guild;
  texts_[name] = presence;
  sets_["{guilds:" + guild + "}:presences"].insert(id);
}

void Model::voice_state(std::string const& guild, Object state) {
  auto const id = text_at(state, "user_id");
  if (has_object(state, "member")) {
    member(guild, state["member"].as_object(), Keep::merge, id);
    state["member"] = id;
  }
  state["guild_id"] = guild;
  if (text_at(state, "channel_id").empty()) {
    hashes_["voice-states:" + guild].erase(id);
  } else {
    hashes_["voice-states:" + guild][id] = state;
  }
}

void Model::channel(std::string const& guild, Object channel, Keep keep) {
  auto const* const type = channel.if_contains("type");
  if (!guild.empty() && type && type->is_int64() && type->get_int64() >= 10 && type->get_int64() <= 12) {
    return thread(guild, std::move(channel), keep);
  }
  if (!guild.empty()) channel["guild_id"] = guild;
  json::array recipients;
  for (auto const& each : array_at(channel, "recipients")) recipients.emplace_back(user(each));
  if (channel.contains("recipients")) channel["recipients"] = recipients;
  auto& place = hashes_["channels:" + (guild.empty() ? "@me" : guild)][text_at(channel, "id")];
  if (keep == Keep::replace) place = nullptr;
  merge_objects(place, channel);
}

void Model::thread(std::string const& guild, Object thread, Keep keep) {
  auto const id = text_at(thread, "id");
  if (has_object(thread, "member")) {
    auto own = thread["member"].as_object();
    if (text_at(own, "user_id").empty()) own["user_id"] = self_;
    if (!text_at(own, "user_id").empty()) thread_member(guild, id, own);
  }
  thread.erase("member");
  thread.erase("newly_created");
  thread["guild_id"] = guild;
  if (keep == Keep::replace) texts_.erase("threads:" + id);
  merge_text("threads:" + id, thread);
  auto& parent = hashes_["{guilds:" + guild + "}:threads"].try_emplace(id, "0").first->second;
  if (!text_at(thread, "parent_id").empty()) parent = thread["parent_id"];
}

void Model::thread_member(std::string const& guild, std::string const& thread, Object member) {
  auto const id = text_at(member, "user_id");
  if (has_object(member, "member")) {
    this->member(guild, member["member"].as_object(), Keep::merge, id);
    member["member"] = id;
  }
  if (has_object(member, "presence")) presence(guild, member["presence"].as_object());
  member.erase("presence");
  member.erase("guild_id");
  member["id"] = thread;
  merge_objects(hashes_["thread-members:" + thread][id], member);
  hashes_["{guilds:" + guild + "}:threads"].try_emplace(thread, "0");
}

void Model::interaction_metadata(Object& object, std::string_view field, std::string const& guild) {
  if (!has_object(object, field)) return;
  auto& inner = object[field].as_object();
  take_user(inner, "user");
  if (has_object(inner, "member") && !guild.empty() && !text_at(inner, "user").empty()) {
    member(guild, inner["member"].as_object(), Keep::merge, text_at(inner, "user"));
    inner["member"] = inner["user"];
  }
  take_user(inner, "target_user");
  interaction_metadata(inner, "triggering_interaction_metadata", guild);
}

std::string Model::message(Object message, std::string guild) {
  auto id = text_at(message, "id");
  auto const channel_id = text_at(message, "channel_id");
  if (!text_at(message, "guild_id").empty()) guild = text_at(message, "guild_id");
  if (has_object(message, "author") && text_at(message, "webhook_id").empty()) {
    take_user(message, "author");
    if (has_object(message, "member") && !guild.empty()) {
      member(guild, message["member"].as_object(), Keep::merge, text_at(message, "author"));
      message["member"] = message["author"];
    }
  }
  json::array mentions;
  for (auto& each : array_at(message, "mentions")) {
    auto mention = each.as_object();
    if (has_object(mention, "member") && !guild.empty()) {
      member(guild, mention["member"].as_object(), Keep::merge, text_at(mention, "id"));
    }
    mention.erase("member");
    mentions.emplace_back(user(mention));
  }
  if (message.contains("mentions")) message["mentions"] = mentions;
  if (has_object(message, "referenced_message")) {
    message["referenced_message"] = this->message(message["referenced_message"].as_object(), guild);
  }
  if (has_object(message, "thread") && !guild.empty()) {
    auto const inner = message["thread"].as_object();
    thread(guild, inner, Keep::merge);
    message["thread"] = text_at(inner, "id");
  }
  interaction_metadata(message, "interaction", guild);
  interaction_metadata(message, "interaction_metadata", guild);
  resolved(message, guild);
  merge_text("messages:" + id, message);
  messages_[channel_id].insert(id);
  if (!guild.empty()) sets_["{guilds:" + guild + "}:channels"].insert(channel_id);
  return id;
}

// The maps become lists of ids. What a member may do in a channel stays with the interaction.
void Model::resolved(Object& object, std::string const& guild) {
  if (!has_object(object, "resolved")) return;
  auto& all = object["resolved"].as_object();
  Object permissions;
  for (std::string const kind : {"users", "members", "roles", "channels", "messages"}) {
    if (!has_object(all, kind) || (guild.empty() && (kind == "members" || kind == "roles"))) continue;
    json::array ids;
    for (auto const& [id, value] : all[kind].as_object()) {
      ids.emplace_back(id);
      auto part = value.as_object();
      if ((kind == "members" || kind == "channels") && part.contains("permissions")) {
        auto& of_kind = permissions.emplace(kind, json::object_kind).first->value();
        of_kind.as_object()[id] = part["permissions"];
        part.erase("permissions");
      }
      if (kind == "users") user(part);
      if (kind == "members") member(guild, part, Keep::merge, std::string(id));
      if (kind == "channels") channel(guild, part, Keep::merge);
      if (kind == "messages") message(part, guild);
      if (kind == "roles") merge_objects(hashes_["roles:" + guild][std::string(id)], part);
    }
    all[kind] = ids;
  }
  if (!permissions.empty()) all["larder_permissions"] = permissions;
}

void Model::stage(std::string const& guild, Object stage) {
  auto const channel_id = text_at(stage, "channel_id");
  stage["guild_id"] = guild;
  texts_["stage-instances:" + channel_id] = stage;
  sets_["{guilds:" + guild + "}:stages"].insert(channel_id);
}

json::array Model::sounds(json::value const& list) {
  json::array sounds;
  for (auto const& each : list.as_array()) {
    auto sound = each.as_object();
    take_user(sound, "user");
    sounds.emplace_back(std::move(sound));
  }
  return sounds;
}

void Model::replace_hash(std::string const& name, json::value const* list, std::string_view user_field) {
  auto& hash = hashes_[name];
  hash.clear();
  if (!list) return;
  for (auto const& each : list->as_array()) {
    auto object = each.as_object();
    if (!user_field.empty()) take_user(object, user_field);
    hash[text_at(object, "id")] = std::move(object);
  }
}

void Model::merge_channel(std::string const& guild, std::string const& id, Object const& newer) {
  auto& channels = hashes_["channels:" + (guild.empty() ? "@me" : guild)];
  if (auto const found = channels.find(id); found != channels.end()) {
    merge_objects(found->second, newer);
  } else if (auto const thread = texts_.find("threads:" + id); thread != texts_.end()) {
    merge_objects(thread->second, newer);
  }
}

Model::Object* Model::known_message(std::string const& id) {
  auto const found = texts_.find("messages:" + id);
  return found == texts_.end() ? nullptr : &found->second.as_object();
}

Model::Object* Model::known_guild(std::string const& id) {
  auto const found = texts_.find("guilds:" + id);
  return found == texts_.end() ? nullptr : &found->second.as_object();
}

}  // namespace larder::cache
