// What goes together with an object, and what the model shows.
#include "cache_workload/model.hpp"
#include "systems/cache/snowflake.hpp"

namespace larder::cache {

void Model::drop_reactions(std::string const& message) {
  for (auto const& emoji : sets_["reactions:" + message]) sets_.erase("reactions:" + message + ":" + emoji);
  sets_.erase("reactions:" + message);
}

void Model::drop_message(std::string const& channel, std::string const& id) {
  drop_reactions(id);
  auto const votes = "{messages:" + id + "}:votes";
  for (auto const& answer : sets_[votes]) sets_.erase(votes + ":" + answer);
  sets_.erase(votes);
  texts_.erase("messages:" + id);
  messages_[channel].erase(id);
}

void Model::drop_messages_of(std::string const& channel) {
  auto const ids = messages_[channel];
  for (auto const& id : ids) drop_message(channel, id);
}

void Model::drop_thread(std::string const& guild, std::string const& id) {
  texts_.erase("threads:" + id);
  hashes_.erase("thread-members:" + id);
  drop_messages_of(id);
  sets_["{guilds:" + guild + "}:channels"].erase(id);
  hashes_["{guilds:" + guild + "}:threads"].erase(id);
}

// A thread that is no longer active is unknown, unless it is archived. Its messages stay.
void Model::drop_inactive(std::string const& guild, std::string const& thread) {
  if (auto const* const stored = text("threads:" + thread)) {
    auto const* const metadata = stored->as_object().if_contains("thread_metadata");
    auto const* const archived =
        metadata && metadata->is_object() ? metadata->get_object().if_contains("archived") : nullptr;
    if (archived && *archived == json::value(true)) return;
  }
  texts_.erase("threads:" + thread);
  hashes_.erase("thread-members:" + thread);
  hashes_["{guilds:" + guild + "}:threads"].erase(thread);
}

void Model::drop_stage(std::string const& guild, std::string const& channel) {
  texts_.erase("stage-instances:" + channel);
  sets_["{guilds:" + guild + "}:stages"].erase(channel);
}

// Empty names match every webhook.
void Model::drop_webhooks(std::string const& guild, std::string const& channel,
                          std::string const& application) {
  std::erase_if(hashes_["{guilds:" + guild + "}:webhooks"], [&](auto const& webhook) {
    std::string const where(webhook.second.as_string());
    auto const colon = where.find(':');
    bool const matches = (channel.empty() || where.substr(0, colon) == channel) &&
                         (application.empty() || where.substr(colon + 1) == application);
    if (matches) texts_.erase("webhooks:" + webhook.first);
    return matches;
  });
}

void Model::drop_channel(std::string const& guild, std::string const& id) {
  hashes_["channels:" + (guild.empty() ? "@me" : guild)].erase(id);
  if (!guild.empty()) {
    drop_stage(guild, id);
    drop_webhooks(guild, id, "");
    std::erase_if(hashes_["{guilds:" + guild + "}:invites"], [&](auto const& invite) {
      if (invite.second != json::value(id)) return false;
      texts_.erase("invites:" + invite.first);
      return true;
    });
    auto const threads = hashes_["{guilds:" + guild + "}:threads"];
    for (auto const& [thread, parent] : threads) {
      if (parent == json::value(id)) drop_thread(guild, thread);
    }
    sets_["{guilds:" + guild + "}:channels"].erase(id);
  }
  drop_messages_of(id);
}

void Model::drop_member(std::string const& guild, std::string const& user_id) {
  sets_["members:" + guild].erase(user_id);
  sets_["{users:" + user_id + "}:guilds"].erase(guild);
  sets_["{guilds:" + guild + "}:presences"].erase(user_id);
  texts_.erase("members:" + guild + ":" + user_id);
  texts_.erase("presence:" + guild + ":" + user_id);
  hashes_["voice-states:" + guild].erase(user_id);
}

void Model::drop_guild(std::string const& id) {
  sets_["guilds"].erase(id);
  for (auto const* const kind : {"guilds:", "widget:", "welcome-screen:"}) texts_.erase(kind + id);
  for (auto const& [event, value] : hashes_["scheduled-events:" + id]) {
    sets_.erase("{scheduled-events:" + id + "}:users:" + event);
  }
  auto const own = "{guilds:" + id + "}:";
  for (auto const& [thread, parent] : Hash(hashes_[own + "threads"])) drop_thread(id, thread);
  for (auto const& channel : Set(sets_[own + "channels"])) drop_messages_of(channel);
  for (auto const& member : Set(sets_["members:" + id])) drop_member(id, member);
  for (auto const& user_id : sets_[own + "presences"]) texts_.erase("presence:" + id + ":" + user_id);
  for (auto const& user_id : sets_[own + "bans"]) texts_.erase("bans:" + id + ":" + user_id);
  for (auto const& channel : Set(sets_[own + "stages"])) drop_stage(id, channel);
  for (auto const& [code, channel] : hashes_[own + "invites"]) texts_.erase("invites:" + code);
  drop_webhooks(id, "", "");
  for (auto const* const what : {"presences", "bans", "channels", "stages"}) sets_.erase(own + what);
  for (auto const* const what : {"invites", "webhooks", "threads"}) hashes_.erase(own + what);
  for (auto const* const kind : {"channels:", "roles:", "emojis:", "stickers:", "voice-states:",
                                 "automod-rules:", "scheduled-events:", "integrations:", "templates:"}) {
    hashes_.erase(kind + id);
  }
}

void Model::put_webhook(Object webhook) {
  auto const id = text_at(webhook, "id");
  take_user(webhook, "user");
  auto const application = text_at(webhook, "application_id");
  hashes_["{guilds:" + text_at(webhook, "guild_id") + "}:webhooks"][id] =
      text_at(webhook, "channel_id") + ":" + (application.empty() ? "0" : application);
  texts_["webhooks:" + id] = std::move(webhook);
}

void Model::add(Model const& other) {
  self_ = other.self_;
  for (auto const& [name, content] : other.texts_) {
    if (name.starts_with("users:") || name.starts_with("applications:")) {
      merge_objects(texts_[name], content.as_object());
    } else {
      texts_[name] = content;
    }
  }
  for (auto const& [name, hash] : other.hashes_) hashes_[name].insert(hash.begin(), hash.end());
  for (auto const& [name, set] : other.sets_) sets_[name].insert(set.begin(), set.end());
  for (auto const& [name, ids] : other.messages_) messages_[name].insert(ids.begin(), ids.end());
  expiring_.insert(other.expiring_.begin(), other.expiring_.end());
}

Snapshot Model::snapshot() const {
  Snapshot all;
  if (!self_.empty()) all["{drc:v1}:self"] = json::parse(self_);
  for (auto const& [name, content] : texts_) {
    // Users that are in no guild are strangers, who expire.
    bool const stranger = name.starts_with("users:") && set("{" + name + "}:guilds").empty();
    all[name + (stranger || expiring_.contains(name) ? " ttl" : "")] = content;
  }
  for (auto const& [name, hash] : hashes_) {
    if (hash.empty()) continue;
    auto& object = all[name + " hash"].emplace_object();
    for (auto const& [field, value] : hash) object[field] = value;
    if (!name.starts_with("channels:") || name == "channels:@me") continue;
    auto const guild = json::parse(name.substr(9));
    for (auto const& [channel, value] : hash) all["{channels:" + channel + "}:guild"] = guild;
  }
  for (auto const& [name, elements] : sets_) {
    if (!elements.empty()) all[name + " set"] = sorted_array(elements);
  }
  for (auto const& [channel, ids] : messages_) {
    if (ids.empty()) continue;
    auto& scores = all["{channels:" + channel + "}:messages zset"].emplace_object();
    for (auto const& id : ids) scores[id] = time_of(id).value;
  }
  return all;
}

Model::Set const& Model::set(std::string const& name) const {
  static Set const none;
  auto const found = sets_.find(name);
  return found == sets_.end() ? none : found->second;
}

Model::Hash const& Model::hash(std::string const& name) const {
  static Hash const none;
  auto const found = hashes_.find(name);
  return found == hashes_.end() ? none : found->second;
}

json::value const* Model::text(std::string const& name) const {
  auto const found = texts_.find(name);
  return found == texts_.end() ? nullptr : &found->second;
}

Model::Set const& Model::messages(std::string const& channel) const {
  static Set const none;
  auto const found = messages_.find(channel);
  return found == messages_.end() ? none : found->second;
}

}  // namespace larder::cache
