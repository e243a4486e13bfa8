// What the cache must contain after some events, computed in the simplest way: one map for each kind of key,
// and one function for each event that does what the table of events says. There is no batching, no Redis and
// no concurrency.
#pragma once

#include "systems/cache/snapshot_test.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace larder::cache {

// Names of keys are without "drc:v1:".
class Model {
 public:
  using Object = json::object;
  using Hash = std::map<std::string, json::value>;
  using Set = std::set<std::string>;

  explicit Model(std::uint64_t shards) : shards_(shards) {}

  // Applies one dispatch, {t, d}, that is applied and well-formed.
  void apply(json::value const& dispatch);
  // Webhooks come from no event.
  void put_webhook(Object webhook);

  // Adds what another shard has. Both may have the same users.
  void add(Model const& other);
  Snapshot snapshot() const;

  // For the generator, which wants to name what exists.
  Set const& set(std::string const& name) const;
  Hash const& hash(std::string const& name) const;
  json::value const* text(std::string const& name) const;
  // The messages of a channel or thread.
  Set const& messages(std::string const& channel) const;

 private:
  enum class Keep { replace, merge };
  using Rule = void (Model::*)(Object const&);
  static std::map<std::string_view, Rule> const& rules();

  // Objects, with what is nested in them. model_objects.cpp
  std::string user(json::value const& value);
  void take_user(Object& object, std::string_view field);
  void member(std::string const& guild, Object member, Keep keep, std::string user_id = "");
  void presence(std::string const& guild, Object presence);
  void voice_state(std::string const& guild, Object state);
  void channel(std::string const& guild, Object channel, Keep keep);
  void thread(std::string const& guild, Object thread, Keep keep);
  void thread_member(std::string const& guild, std::string const& thread, Object member);
  std::string message(Object message, std::string guild = "");
  void interaction_metadata(Object& object, std::string_view field, std::string const& guild);
  void resolved(Object& object, std::string const& guild);
  void stage(std::string const& guild, Object stage);
  json::array sounds(json::value const& list);
  void replace_hash(std::string const& name, json::value const* list, std::string_view user_field);
  void merge_text(std::string const& name, Object const& newer);
  void merge_channel(std::string const& guild, std::string const& id, Object const& newer);
  Object* known_message(std::string const& id);
  Object* known_guild(std::string const& id);

  // What goes together with an object. model_cascade.cpp
  void drop_message(std::string const& channel, std::string const& id);
  void drop_reactions(std::string const& message);
  void drop_messages_of(std::string const& channel);
  void drop_thread(std::string const& guild, std::string const& id);
  void drop_inactive(std::string const& guild, std::string const& thread);
  void drop_channel(std::string const& guild, std::string const& id);
  void drop_member(std::string const& guild, std::string const& user_id);
  void drop_webhooks(std::string const& guild, std::string const& channel, std::string const& application);
  void drop_stage(std::string const& guild, std::string const& channel);
  void drop_guild(std::string const& id);

  // Events. model_guilds.cpp
  void ready(Object const& d);
  void guild_create(Object const& d);
  void guild_members(std::string const& guild, Object const& d);
  void guild_update(Object const& d);
  void guild_delete(Object const& d);
  void mark_unavailable(std::string const& guild);
  void role_put(Object const& d);
  void role_delete(Object const& d);
  void emojis_update(Object const& d);
  void stickers_update(Object const& d);
  void integration_put(Object const& d);
  void integration_delete(Object const& d);
  void automod_put(Object const& d);
  void automod_delete(Object const& d);
  void event_put(Object const& d);
  void event_delete(Object const& d);
  void event_user_add(Object const& d);
  void event_user_remove(Object const& d);
  void sound_put(Object const& d);
  void merge_sound(std::string const& guild_id, Object sound);
  void sound_delete(Object const& d);
  void sounds_update(Object const& d);
  void sounds_replace(Object const& d);
  void member_add(Object const& d);
  void member_update(Object const& d);
  void member_remove(Object const& d);
  void members_chunk(Object const& d);
  void ban_add(Object const& d);
  void ban_remove(Object const& d);
  void presence_update(Object const& d);
  void voice_state_update(Object const& d);
  void user_update(Object const& d);
  void count_member(std::string const& guild, std::int64_t change);
  void change_interest(Object const& d, bool interested);

  // Events. model_channels.cpp
  void channel_create(Object const& d);
  void channel_update(Object const& d);
  void channel_delete(Object const& d);
  void channel_merge(Object const& d);
  void pins_update(Object const& d);
  void thread_create(Object const& d);
  void thread_update(Object const& d);
  void thread_delete(Object const& d);
  void thread_list_sync(Object const& d);
  void thread_member_update(Object const& d);
  void thread_members_update(Object const& d);
  void stage_put(Object const& d);
  void stage_delete(Object const& d);
  void invite_create(Object const& d);
  void invite_delete(Object const& d);
  void webhooks_update(Object const& d);

  // Events. model_messages.cpp
  void message_put(Object const& d);
  void message_delete(Object const& d);
  void message_delete_bulk(Object const& d);
  void reaction_add(Object const& d);
  void reaction_remove(Object const& d);
  void reaction_remove_all(Object const& d);
  void reaction_remove_emoji(Object const& d);
  void vote_add(Object const& d);
  void vote_remove(Object const& d);
  void interaction_create(Object const& d);
  void count_reaction(Object const& d, std::string const& emoji, std::int64_t change);
  void count_vote(Object const& d, std::int64_t change);

  bool is_self(std::string const& user_id) const { return user_id == self_; }

  std::uint64_t shards_;
  std::string self_;  // the bot's own user
  std::map<std::string, json::value> texts_;
  std::map<std::string, Hash> hashes_;
  std::map<std::string, Set> sets_;
  std::map<std::string, Set> messages_;  // by channel
  Set expiring_;                         // texts with a TTL, except users
};

// The text in a member of an object; empty if it is missing or null.
std::string text_at(json::object const& object, std::string_view name);
// The array in a member of an object; empty if it is missing.
json::array array_at(json::object const& object, std::string_view name);
void merge_objects(json::value& into, json::object const& newer);

}  // namespace larder::cache
