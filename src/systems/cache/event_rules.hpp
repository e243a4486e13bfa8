// The rules of the events, for the table in events.cpp.
#pragma once

#include "base/try.hpp"
#include "systems/cache/events.hpp"
#include "systems/cache/snowflake.hpp"

#include <fmt/format.h>

#include <functional>

namespace larder::cache::rules {

struct Happened {
  Objects& objects;
  RawObject const& d;
  std::string_view text;  // of d
  Aftermath& after;

  Workspace& workspace() const { return objects.workspace(); }
  CacheKeys const& keys() const { return objects.keys(); }
  // Ends a cascade: if something is left, a job removes it.
  void finish(bool done, CascadeJob job) const {
    if (done) return;
    auto const takeover = std::chrono::milliseconds(job_takeover).count();
    workspace().schedule(keys().jobs(), job.name(), objects.now() + takeover);
    after.jobs.push_back(std::move(job));
  }
};
using Rule = Result<void> (*)(Happened const&);

// guild_rules.cpp
Result<void> ready(Happened const&);
Result<void> guild_create(Happened const&);
Result<void> guild_update(Happened const&);
Result<void> guild_delete(Happened const&);
Result<void> emojis_update(Happened const&);
Result<void> stickers_update(Happened const&);
Result<void> sound_put(Happened const&);
Result<void> sound_delete(Happened const&);
Result<void> sounds_update(Happened const&);
Result<void> sounds_replace(Happened const&);
Result<void> role_put(Happened const&);
Result<void> role_delete(Happened const&);
Result<void> integration_put(Happened const&);
Result<void> integration_delete(Happened const&);
Result<void> automod_put(Happened const&);
Result<void> automod_delete(Happened const&);
Result<void> scheduled_event_put(Happened const&);
Result<void> scheduled_event_delete(Happened const&);
Result<void> scheduled_event_user_add(Happened const&);
Result<void> scheduled_event_user_remove(Happened const&);

// member_rules.cpp
Result<void> member_add(Happened const&);
Result<void> member_update(Happened const&);
Result<void> member_remove(Happened const&);
Result<void> members_chunk(Happened const&);
Result<void> ban_add(Happened const&);
Result<void> ban_remove(Happened const&);
Result<void> presence_update(Happened const&);
Result<void> voice_state_update(Happened const&);
Result<void> user_update(Happened const&);

// channel_rules.cpp
Result<void> channel_create(Happened const&);
Result<void> channel_update(Happened const&);
Result<void> channel_delete(Happened const&);
Result<void> channel_merge(Happened const&);
Result<void> pins_update(Happened const&);
Result<void> thread_create(Happened const&);
Result<void> thread_update(Happened const&);
Result<void> thread_delete(Happened const&);
Result<void> thread_list_sync(Happened const&);
Result<void> thread_member_update(Happened const&);
Result<void> thread_members_update(Happened const&);
Result<void> stage_put(Happened const&);
Result<void> stage_delete(Happened const&);
Result<void> invite_create(Happened const&);
Result<void> invite_delete(Happened const&);
Result<void> webhooks_update(Happened const&);

// message_rules.cpp
Result<void> message_put(Happened const&);
Result<void> message_delete(Happened const&);
Result<void> message_delete_bulk(Happened const&);
Result<void> reaction_add(Happened const&);
Result<void> reaction_remove(Happened const&);
Result<void> reaction_remove_all(Happened const&);
Result<void> reaction_remove_emoji(Happened const&);
Result<void> poll_vote_add(Happened const&);
Result<void> poll_vote_remove(Happened const&);
Result<void> interaction_create(Happened const&);

// The array in a member of an event. A missing array is empty; anything else is refused.
Result<std::vector<std::string_view>> array_in(RawObject const& object, std::string_view name);
// The stored object, ready to be changed. `text` gets the characters that the object refers to.
std::optional<RawObject> stored_object(std::optional<std::string_view> stored, std::string& text);
// Adds to a whole number of an object. The result is not below 0.
void add_to(RawObject& object, std::string_view name, std::int64_t change);
// Removes a thread that is not active any more, unless it is archived. Its messages stay.
void drop_inactive_thread(Happened const& happened, Id guild, Id thread);
// Changes the guild's own object, if the cache has it.
void change_guild(Happened const& happened, Id guild, std::function<void(RawObject&)> const& change);

}  // namespace larder::cache::rules
