// The keys of the cache. Those of the DRC specification are `<prefix>:<version info>:<resource>...`. Our own
// keys begin with a key of the specification in braces, `{<key>}:...`, so that on a cluster they lie in the
// slot of that key. Other implementations of DRC ignore them.
//
// Every part of a key is an id, a code or the name of an emoji, so no part can contain a colon.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace larder::cache {

using Id = std::string_view;

class CacheKeys {
 public:
  // `version_info` as in the settings: "v1".
  CacheKeys(std::string_view prefix, std::string_view version_info)
      : root_(fmt::format("{}:{}", prefix, version_info)) {}

  // Of the specification.
  std::string application(Id id) const { return key("applications", id); }
  std::string automod_rules(Id guild) const { return key("automod-rules", guild); }
  std::string ban(Id guild, Id user) const { return key("bans", guild, user); }
  std::string channels(Id guild) const { return key("channels", guild); }
  std::string dm_channels() const { return key("channels", "@me"); }
  std::string commands(Id application) const { return key("commands", application); }
  std::string emojis(Id guild) const { return key("emojis", guild); }
  std::string guilds() const { return root_ + ":guilds"; }
  std::string guild(Id id) const { return key("guilds", id); }
  std::string integrations(Id guild) const { return key("integrations", guild); }
  std::string interaction(Id id) const { return key("interactions", id); }
  std::string invite(std::string_view code) const { return key("invites", code); }
  std::string members(Id guild) const { return key("members", guild); }
  std::string member(Id guild, Id user) const { return key("members", guild, user); }
  std::string message(Id id) const { return key("messages", id); }
  std::string presence(Id guild, Id user) const { return key("presence", guild, user); }
  std::string reactions(Id message) const { return key("reactions", message); }
  std::string reaction(Id message, std::string_view emoji) const { return key("reactions", message, emoji); }
  std::string roles(Id guild) const { return key("roles", guild); }
  std::string scheduled_events(Id guild) const { return key("scheduled-events", guild); }
  std::string stage_instance(Id channel) const { return key("stage-instances", channel); }
  std::string stickers(Id guild) const { return key("stickers", guild); }
  std::string templates(Id guild) const { return key("templates", guild); }
  std::string thread(Id id) const { return key("threads", id); }
  std::string thread_members(Id thread) const { return key("thread-members", thread); }
  std::string user(Id id) const { return key("users", id); }
  std::string voice_states(Id guild) const { return key("voice-states", guild); }
  std::string webhook(Id id) const { return key("webhooks", id); }
  std::string welcome_screen(Id guild) const { return key("welcome-screen", guild); }
  std::string widget(Id guild) const { return key("widget", guild); }

  // Our own. The first seven say what belongs to a guild.
  std::string presences_of(Id guild) const { return own(this->guild(guild), "presences"); }  // set of users
  std::string bans_of(Id guild) const { return own(this->guild(guild), "bans"); }            // set of users
  std::string threads_of(Id guild) const {
    return own(this->guild(guild), "threads");
  }  // hash: thread -> parent
  std::string invites_of(Id guild) const {
    return own(this->guild(guild), "invites");
  }  // hash: code -> channel
  std::string webhooks_of(Id guild) const {
    return own(this->guild(guild), "webhooks");
  }  // hash: id -> channel:application
  std::string stages_of(Id guild) const { return own(this->guild(guild), "stages"); }  // set of channels
  std::string talked_in(Id guild) const {
    return own(this->guild(guild), "channels");
  }  // set: channels with messages
  std::string guilds_of(Id user) const { return own(this->user(user), "guilds"); }  // set of guilds
  std::string messages_of(Id channel) const {
    return own(channels(channel), "messages");
  }  // sorted set, by time
  std::string guild_of(Id channel) const {
    return own(channels(channel), "guild");
  }  // string: the channel's guild
  std::string votes(Id message, std::string_view answer) const {  // set of users
    return own(this->message(message), fmt::format("votes:{}", answer));
  }
  std::string voted(Id message) const { return own(this->message(message), "votes"); }  // set of answers
  std::string interested(Id guild, Id event) const {                                    // set of users
    return own(scheduled_events(guild), fmt::format("users:{}", event));
  }
  std::string gone_roles(Id guild) const { return own(roles(guild), "gone"); }  // set of roles
  std::string self() const { return "{" + root_ + "}:self"; }                   // the bot's own user id
  std::string jobs() const { return "{" + root_ + "}:jobs"; }                   // due set
  std::string shards() const { return "{" + root_ + "}:shards"; }  // hash: shard -> newest s and time
  std::string counts() const { return "{" + root_ + "}:events"; }  // hash: name of an event -> count
  // A list that is being built next to the one that it will replace.
  static std::string next(std::string_view key, std::string_view token) {
    return own(key, fmt::format("new:{}", token));
  }

  // Whether the key is that of a user, or one of our own keys of a user.
  bool is_of_user(std::string_view key) const {
    if (key.starts_with('{')) key.remove_prefix(1);
    return key.starts_with(root_) && key.substr(root_.size()).starts_with(":users:");
  }

  std::string const& root() const { return root_; }

 private:
  std::string key(std::string_view resource, std::string_view id) const {
    return fmt::format("{}:{}:{}", root_, resource, id);
  }
  std::string key(std::string_view resource, std::string_view id, std::string_view more) const {
    return fmt::format("{}:{}:{}:{}", root_, resource, id, more);
  }
  static std::string own(std::string_view key, std::string_view what) {
    return fmt::format("{{{}}}:{}", key, what);
  }

  std::string root_;
};

}  // namespace larder::cache
