// Messages, reactions, polls and interactions; and which function applies which event.
#include "cache_workload/model.hpp"
#include "systems/cache/snowflake.hpp"

namespace larder::cache {

namespace {

// How keys name an emoji.
std::string emoji_name(json::object const& emoji) {
  auto const id = text_at(emoji, "id");
  return id.empty() ? text_at(emoji, "name") : id;
}

bool is_burst(json::object const& d) {
  auto const* const burst = d.if_contains("burst");
  return burst && *burst == json::value(true);
}

}  // namespace

void Model::message_put(Object const& d) {
  auto const id = message(d);
  auto const guild = text_at(d, "guild_id");
  auto const channel_id = text_at(d, "channel_id");
  auto& channels = hashes_["channels:" + (guild.empty() ? "@me" : guild)];
  auto const found = channels.find(channel_id);
  auto const thread = texts_.find("threads:" + channel_id);
  if (found == channels.end() && thread == texts_.end()) return;
  auto& place = (found != channels.end() ? found->second : thread->second).as_object();
  auto const last = text_at(place, "last_message_id");
  if (!last.empty() && number_of(last) >= number_of(id)) return;
  place["last_message_id"] = id;
  bool const counts = found == channels.end() && place.contains("message_count");
  if (counts) place["message_count"] = place["message_count"].as_int64() + 1;
}

void Model::message_delete(Object const& d) { drop_message(text_at(d, "channel_id"), text_at(d, "id")); }
void Model::message_delete_bulk(Object const& d) {
  for (auto const& id : array_at(d, "ids"))
    drop_message(text_at(d, "channel_id"), std::string(id.as_string()));
}

void Model::count_reaction(Object const& d, std::string const& emoji, std::int64_t change) {
  auto* const message = known_message(text_at(d, "message_id"));
  if (!message) return;
  bool const burst = is_burst(d);
  bool const own = is_self(text_at(d, "user_id"));
  json::array entries;
  bool found = false;
  for (auto& each : array_at(*message, "reactions")) {
    auto& entry = each.as_object();
    if (emoji_name(entry["emoji"].as_object()) == emoji) {
      found = true;
      auto const count = entry["count"].as_int64() + change;
      entry["count"] = count;
      auto& of_kind = entry["count_details"].as_object()[burst ? "burst" : "normal"];
      of_kind = std::max<std::int64_t>(0, of_kind.as_int64() + change);
      if (own) entry[burst ? "me_burst" : "me"] = change > 0;
      if (count <= 0) continue;
    }
    entries.push_back(each);
  }
  if (!found && change > 0) {
    entries.push_back({{"count", 1},
                       {"count_details", {{"burst", burst ? 1 : 0}, {"normal", burst ? 0 : 1}}},
                       {"me", own && !burst},
                       {"me_burst", own && burst},
                       {"emoji", d.at("emoji")},
                       {"burst_colors", json::array()}});
  }
  (*message)["reactions"] = entries;
}

void Model::reaction_add(Object const& d) {
  auto const id = text_at(d, "message_id");
  auto const guild = text_at(d, "guild_id");
  auto const user_id = text_at(d, "user_id");
  auto const emoji = emoji_name(d.at("emoji").as_object());
  if (!guild.empty() && d.contains("member")) member(guild, d.at("member").as_object(), Keep::merge, user_id);
  // The message may be unknown. What belongs to it must go together with its channel anyway.
  messages_[text_at(d, "channel_id")].insert(id);
  if (!guild.empty()) sets_["{guilds:" + guild + "}:channels"].insert(text_at(d, "channel_id"));
  sets_["reactions:" + id].insert(emoji);
  if (sets_["reactions:" + id + ":" + emoji].insert(user_id).second) count_reaction(d, emoji, 1);
}

void Model::reaction_remove(Object const& d) {
  auto const id = text_at(d, "message_id");
  auto const emoji = emoji_name(d.at("emoji").as_object());
  auto& users = sets_["reactions:" + id + ":" + emoji];
  if (users.erase(text_at(d, "user_id")) == 0) return;
  if (users.empty()) sets_["reactions:" + id].erase(emoji);
  count_reaction(d, emoji, -1);
}

void Model::reaction_remove_all(Object const& d) {
  drop_reactions(text_at(d, "message_id"));
  auto* const message = known_message(text_at(d, "message_id"));
  if (message && message->contains("reactions")) (*message)["reactions"] = json::array();
}

void Model::reaction_remove_emoji(Object const& d) {
  auto const id = text_at(d, "message_id");
  auto const emoji = emoji_name(d.at("emoji").as_object());
  sets_.erase("reactions:" + id + ":" + emoji);
  sets_["reactions:" + id].erase(emoji);
  auto* const message = known_message(id);
  if (!message || !message->contains("reactions")) return;
  json::array left;
  for (auto const& each : (*message)["reactions"].as_array()) {
    if (emoji_name(each.at("emoji").as_object()) != emoji) left.push_back(each);
  }
  (*message)["reactions"] = left;
}

void Model::count_vote(Object const& d, std::int64_t change) {
  auto const id = text_at(d, "message_id");
  auto* const message = known_message(id);
  if (!message) return;
  auto const answer = d.at("answer_id").as_int64();
  auto const votes = "{messages:" + id + "}:votes";
  auto& users = sets_[votes + ":" + std::to_string(answer)];
  auto const user_id = text_at(d, "user_id");
  if (change > 0 ? !users.insert(user_id).second : users.erase(user_id) == 0) return;
  if (change > 0) sets_[votes].insert(std::to_string(answer));
  if (!message->contains("poll")) return;
  auto& poll = (*message)["poll"].as_object();
  if (!poll.contains("results"))
    poll["results"] = {{"is_finalized", false}, {"answer_counts", json::array()}};
  auto& counts = poll["results"].as_object()["answer_counts"].as_array();
  for (auto& count : counts) {
    if (count.at("id") != d.at("answer_id")) continue;
    count.as_object()["count"] = std::max<std::int64_t>(0, count.at("count").as_int64() + change);
    if (is_self(user_id)) count.as_object()["me_voted"] = change > 0;
    return;
  }
  if (change > 0) counts.push_back({{"id", answer}, {"count", 1}, {"me_voted", is_self(user_id)}});
}
void Model::vote_add(Object const& d) { count_vote(d, 1); }
void Model::vote_remove(Object const& d) { count_vote(d, -1); }

void Model::interaction_create(Object const& d) {
  auto interaction = d;
  auto const guild = text_at(d, "guild_id");
  Object permissions;
  interaction.erase("token");
  take_user(interaction, "user");
  for (auto const* const name : {"member", "channel"}) {
    if (!interaction.contains(name)) continue;
    auto part = interaction[name].as_object();
    if (part.contains("permissions")) permissions[name] = part["permissions"];
    part.erase("permissions");
    if (name == std::string_view("channel")) {
      channel(guild, part, Keep::merge);
      interaction[name] = text_at(part, "id");
    } else if (!guild.empty()) {
      member(guild, part, Keep::merge);
      interaction[name] = text_at(part["user"].as_object(), "id");
    }
  }
  if (interaction.contains("message")) {
    interaction["message"] = message(interaction["message"].as_object(), guild);
  }
  if (interaction.contains("data")) resolved(interaction["data"].as_object(), guild);
  if (!permissions.empty()) interaction["larder_permissions"] = permissions;
  texts_["interactions:" + text_at(d, "id")] = interaction;
  expiring_.insert("interactions:" + text_at(d, "id"));
}

std::map<std::string_view, Model::Rule> const& Model::rules() {
  static std::map<std::string_view, Rule> const all = {
      {"READY", &Model::ready},
      {"GUILD_CREATE", &Model::guild_create},
      {"GUILD_UPDATE", &Model::guild_update},
      {"GUILD_DELETE", &Model::guild_delete},
      {"CHANNEL_CREATE", &Model::channel_create},
      {"CHANNEL_UPDATE", &Model::channel_update},
      {"CHANNEL_DELETE", &Model::channel_delete},
      {"CHANNEL_PINS_UPDATE", &Model::pins_update},
      {"VOICE_CHANNEL_STATUS_UPDATE", &Model::channel_merge},
      {"VOICE_CHANNEL_START_TIME_UPDATE", &Model::channel_merge},
      {"THREAD_CREATE", &Model::thread_create},
      {"THREAD_UPDATE", &Model::thread_update},
      {"THREAD_DELETE", &Model::thread_delete},
      {"THREAD_LIST_SYNC", &Model::thread_list_sync},
      {"THREAD_MEMBER_UPDATE", &Model::thread_member_update},
      {"THREAD_MEMBERS_UPDATE", &Model::thread_members_update},
      {"GUILD_MEMBER_ADD", &Model::member_add},
      {"GUILD_MEMBER_UPDATE", &Model::member_update},
      {"GUILD_MEMBER_REMOVE", &Model::member_remove},
      {"GUILD_MEMBERS_CHUNK", &Model::members_chunk},
      {"GUILD_ROLE_CREATE", &Model::role_put},
      {"GUILD_ROLE_UPDATE", &Model::role_put},
      {"GUILD_ROLE_DELETE", &Model::role_delete},
      {"GUILD_EMOJIS_UPDATE", &Model::emojis_update},
      {"GUILD_STICKERS_UPDATE", &Model::stickers_update},
      {"GUILD_BAN_ADD", &Model::ban_add},
      {"GUILD_BAN_REMOVE", &Model::ban_remove},
      {"INTEGRATION_CREATE", &Model::integration_put},
      {"INTEGRATION_UPDATE", &Model::integration_put},
      {"INTEGRATION_DELETE", &Model::integration_delete},
      {"GUILD_SCHEDULED_EVENT_CREATE", &Model::event_put},
      {"GUILD_SCHEDULED_EVENT_UPDATE", &Model::event_put},
      {"GUILD_SCHEDULED_EVENT_DELETE", &Model::event_delete},
      {"GUILD_SCHEDULED_EVENT_USER_ADD", &Model::event_user_add},
      {"GUILD_SCHEDULED_EVENT_USER_REMOVE", &Model::event_user_remove},
      {"AUTO_MODERATION_RULE_CREATE", &Model::automod_put},
      {"AUTO_MODERATION_RULE_UPDATE", &Model::automod_put},
      {"AUTO_MODERATION_RULE_DELETE", &Model::automod_delete},
      {"INVITE_CREATE", &Model::invite_create},
      {"INVITE_DELETE", &Model::invite_delete},
      {"MESSAGE_CREATE", &Model::message_put},
      {"MESSAGE_UPDATE", &Model::message_put},
      {"MESSAGE_DELETE", &Model::message_delete},
      {"MESSAGE_DELETE_BULK", &Model::message_delete_bulk},
      {"MESSAGE_REACTION_ADD", &Model::reaction_add},
      {"MESSAGE_REACTION_REMOVE", &Model::reaction_remove},
      {"MESSAGE_REACTION_REMOVE_ALL", &Model::reaction_remove_all},
      {"MESSAGE_REACTION_REMOVE_EMOJI", &Model::reaction_remove_emoji},
      {"MESSAGE_POLL_VOTE_ADD", &Model::vote_add},
      {"MESSAGE_POLL_VOTE_REMOVE", &Model::vote_remove},
      {"PRESENCE_UPDATE", &Model::presence_update},
      {"VOICE_STATE_UPDATE", &Model::voice_state_update},
      {"STAGE_INSTANCE_CREATE", &Model::stage_put},
      {"STAGE_INSTANCE_UPDATE", &Model::stage_put},
      {"STAGE_INSTANCE_DELETE", &Model::stage_delete},
      {"INTERACTION_CREATE", &Model::interaction_create},
      {"USER_UPDATE", &Model::user_update},
      {"WEBHOOKS_UPDATE", &Model::webhooks_update},
      {"GUILD_SOUNDBOARD_SOUND_CREATE", &Model::sound_put},
      {"GUILD_SOUNDBOARD_SOUND_UPDATE", &Model::sound_put},
      {"GUILD_SOUNDBOARD_SOUND_DELETE", &Model::sound_delete},
      {"GUILD_SOUNDBOARD_SOUNDS_UPDATE", &Model::sounds_update},
      {"SOUNDBOARD_SOUNDS", &Model::sounds_replace},
  };
  return all;
}

void Model::apply(json::value const& dispatch) {
  (this->*rules().at(dispatch.at("t").as_string()))(dispatch.at("d").as_object());
}

}  // namespace larder::cache
