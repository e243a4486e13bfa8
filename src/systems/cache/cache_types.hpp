// What callers of the cache hand in and get back.
#pragma once

#include "base/time.hpp"
#include "systems/cache/resources.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace larder::cache {

// An object that has a key, or a field of a hash, of its own.
enum class ObjectKind : std::uint8_t {
  application,
  automod_rule,
  ban,
  channel,
  command,
  emoji,
  guild,
  integration,
  interaction,
  invite,
  member,
  message,
  presence,
  role,
  scheduled_event,
  stage_instance,
  sticker,
  guild_template,
  thread,
  thread_member,
  user,
  voice_state,
  webhook,
  welcome_screen,
  widget,
};

// `parent` is the guild; for a thread member, the thread; for a command, the application; for a channel with
// direct messages, "@me". It is empty for kinds that have none. It may be empty for a channel, a thread, an
// invite, a stage instance and a webhook; if it is given, the object must be in that guild. `id` is the id,
// or the code of an invite or a template; for a stage instance, its channel. A welcome screen and a widget
// have none.
struct ObjectKey {
  ObjectKind kind = ObjectKind::user;
  std::string parent = {};
  std::string id = {};
};

enum class Form : std::uint8_t {
  whole,  // in the form of Discord's API, put together again
  raw,    // as Redis has it
};

enum class CollectionKind : std::uint8_t {
  guilds,
  guilds_of_user,
  automod_rules,
  bans,
  channels,
  commands,
  emojis,
  integrations,
  invites,
  members,
  presences,
  roles,
  scheduled_events,
  stage_instances,
  stickers,
  templates,
  threads,
  voice_states,
  webhooks,
  messages_of_channel,
  members_of_thread,
  reactions_of_message,  // items: {emoji: {id, name}, count}
  users_of_reaction,
};
struct Collection {
  CollectionKind kind = CollectionKind::guilds;
  std::string parent = {};  // the guild, user, channel, thread, message or application
  std::string emoji = {};   // of users_of_reaction: an id or a name
};
struct PageQuery {
  std::size_t limit = 50;
  std::string cursor = {};  // empty: from the beginning
};
struct ObjectPage {
  std::vector<std::string> items;          // JSON
  std::optional<std::string> next_cursor;  // none: this was the last page
};

struct ApplyOptions {
  bool before = false;  // report the objects that updates and deletes have found
};
struct ApplyReport {
  std::size_t applied = 0;
  std::size_t ignored = 0;
  std::map<std::string, std::size_t> unknown = {};  // by the name of the event
  struct Failure {
    std::size_t index = 0;
    std::string code;
    std::string detail;
    std::string field = {};
  };
  std::vector<Failure> failed = {};
  struct Before {
    std::size_t index = 0;
    std::string object;  // JSON
  };
  std::vector<Before> before = {};
  bool before_is_cut = false;  // there were more than fit into one answer
};

struct Permissions {
  std::uint64_t permissions = 0;  // as Discord documents the calculation
  std::uint64_t effective = 0;    // without what is implicitly denied
};

// A change, for the feed.
struct Changed {
  Resource resource = Resource::messages;
  std::string event;                // "MESSAGE_UPDATE"
  std::string object;               // JSON of `d`
  std::vector<std::string> before;  // the objects that the event has changed or removed, in JSON
};

// Counts events, and remembers the newest sequence number of each shard. Thread-safe.
class EventCounts {
 public:
  struct Shard {
    std::int64_t sequence = 0;
    TimeMs at;
  };
  struct Counted {
    std::map<std::string, std::int64_t> events;  // by name
    std::map<std::int64_t, Shard> shards;
  };
  void count(std::string_view event);
  void note(std::int64_t shard, std::int64_t sequence, TimeMs at);
  // What has come since the last call.
  Counted take();

 private:
  std::mutex mutex_;
  Counted counted_;
};

}  // namespace larder::cache
