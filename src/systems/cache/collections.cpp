#include "systems/cache/collections.hpp"

#include "systems/cache/snowflake.hpp"

#include <utility>

namespace larder::cache {

CollectionInfo info_of(CacheKeys const& keys, Collection const& collection) {
  using enum CollectionInfo::Form;
  auto const& parent = collection.parent;
  auto const simple = [](std::string key, ObjectKind kind) {
    return CollectionInfo{hash, std::move(key), kind};
  };
  switch (collection.kind) {
    case CollectionKind::guilds: return {set, keys.guilds(), ObjectKind::guild, false};
    case CollectionKind::guilds_of_user: return {set, keys.guilds_of(parent), ObjectKind::guild, false};
    case CollectionKind::automod_rules: return simple(keys.automod_rules(parent), ObjectKind::automod_rule);
    case CollectionKind::bans: return {set, keys.bans_of(parent), ObjectKind::ban, true, true};
    case CollectionKind::channels: return simple(keys.channels(parent), ObjectKind::channel);
    case CollectionKind::commands: return simple(keys.commands(parent), ObjectKind::command);
    case CollectionKind::emojis: return simple(keys.emojis(parent), ObjectKind::emoji);
    case CollectionKind::integrations: return simple(keys.integrations(parent), ObjectKind::integration);
    case CollectionKind::invites: return {index, keys.invites_of(parent), ObjectKind::invite, true, true};
    case CollectionKind::members: return {set, keys.members(parent), ObjectKind::member};
    case CollectionKind::presences: return {set, keys.presences_of(parent), ObjectKind::presence, true, true};
    case CollectionKind::roles: return simple(keys.roles(parent), ObjectKind::role);
    case CollectionKind::scheduled_events:
      return simple(keys.scheduled_events(parent), ObjectKind::scheduled_event);
    case CollectionKind::stage_instances:
      return {set, keys.stages_of(parent), ObjectKind::stage_instance, true, true};
    case CollectionKind::stickers: return simple(keys.stickers(parent), ObjectKind::sticker);
    case CollectionKind::templates: return simple(keys.templates(parent), ObjectKind::guild_template);
    case CollectionKind::threads: return {index, keys.threads_of(parent), ObjectKind::thread, true, true};
    case CollectionKind::voice_states: return simple(keys.voice_states(parent), ObjectKind::voice_state);
    case CollectionKind::webhooks: return {index, keys.webhooks_of(parent), ObjectKind::webhook, true, true};
    case CollectionKind::messages_of_channel:
      return {messages, keys.messages_of(parent), ObjectKind::message, false, true};
    case CollectionKind::members_of_thread:
      return simple(keys.thread_members(parent), ObjectKind::thread_member);
    case CollectionKind::reactions_of_message: return {reactions, keys.reactions(parent)};
    case CollectionKind::users_of_reaction:
      return {set, keys.reaction(parent, collection.emoji), ObjectKind::user, false};
  }
  std::unreachable();
}

bool leads_to_more(Reads& reads, CacheKeys const& keys, ObjectKind kind, Id id) {
  if (kind == ObjectKind::message) return reads.any(keys.reactions(id)) || reads.any(keys.voted(id));
  return kind == ObjectKind::thread && !reads.fields(keys.thread_members(id)).empty();
}

bool is_valid(Collection const& collection) {
  if (collection.kind == CollectionKind::guilds) return collection.parent.empty();
  if (collection.kind == CollectionKind::channels && collection.parent == "@me") return true;
  return is_snowflake(collection.parent);
}

}  // namespace larder::cache
