#include "systems/cache/events.hpp"

#include "systems/cache/event_rules.hpp"

#include <algorithm>

namespace larder::cache {

namespace rules {

Result<std::vector<std::string_view>> array_in(RawObject const& object, std::string_view name) {
  auto const value = object.find(name);
  if (!is_absent(value) && !is_array(value)) {
    return std::unexpected(Error{.code = errors::invalid_dispatch,
                                 .detail = fmt::format("{} must be an array", name),
                                 .field = std::string(name)});
  }
  return elements_of(value);
}

std::optional<RawObject> stored_object(std::optional<std::string_view> stored, std::string& text) {
  if (!stored) return std::nullopt;
  auto compacted = compact(*stored);
  if (!compacted) return std::nullopt;
  text = std::move(*compacted);
  return RawObject::parse(text);
}

void add_to(RawObject& object, std::string_view name, std::int64_t change) {
  auto const now = int_in(object.find(name)).value_or(0);
  constexpr auto most = std::numeric_limits<std::int64_t>::max() - 1;
  object.set(name, std::to_string(std::max<std::int64_t>(0, std::min(now, most) + change)));
}

void change_guild(Happened const& happened, Id guild, std::function<void(RawObject&)> const& change) {
  auto const key = happened.keys().guild(guild);
  std::string text;
  auto object = stored_object(happened.workspace().text(key), text);
  if (!object) return;
  change(*object);
  happened.workspace().set_text(key, object->text(), happened.objects.ttl(Resource::guilds));
}

}  // namespace rules

namespace {

struct EventRule {
  std::string_view name;
  rules::Rule apply;                     // null: nothing to keep
  Resource resource = Resource::guilds;  // that it is about, for the feed
};

// Sorted by name.
constexpr EventRule event_rules[] = {
    {"APPLICATION_COMMAND_PERMISSIONS_UPDATE", nullptr},
    {"AUTO_MODERATION_ACTION_EXECUTION", nullptr},
    {"AUTO_MODERATION_RULE_CREATE", rules::automod_put, Resource::automod_rules},
    {"AUTO_MODERATION_RULE_DELETE", rules::automod_delete, Resource::automod_rules},
    {"AUTO_MODERATION_RULE_UPDATE", rules::automod_put, Resource::automod_rules},
    {"CHANNEL_CREATE", rules::channel_create, Resource::channels},
    {"CHANNEL_DELETE", rules::channel_delete, Resource::channels},
    {"CHANNEL_INFO", nullptr},
    {"CHANNEL_PINS_UPDATE", rules::pins_update, Resource::channels},
    {"CHANNEL_UPDATE", rules::channel_update, Resource::channels},
    {"ENTITLEMENT_CREATE", nullptr},
    {"ENTITLEMENT_DELETE", nullptr},
    {"ENTITLEMENT_UPDATE", nullptr},
    {"GUILD_AUDIT_LOG_ENTRY_CREATE", nullptr},
    {"GUILD_BAN_ADD", rules::ban_add, Resource::bans},
    {"GUILD_BAN_REMOVE", rules::ban_remove, Resource::bans},
    {"GUILD_CREATE", rules::guild_create, Resource::guilds},
    {"GUILD_DELETE", rules::guild_delete, Resource::guilds},
    {"GUILD_EMOJIS_UPDATE", rules::emojis_update, Resource::emojis},
    {"GUILD_INTEGRATIONS_UPDATE", nullptr},
    {"GUILD_MEMBERS_CHUNK", rules::members_chunk, Resource::members},
    {"GUILD_MEMBER_ADD", rules::member_add, Resource::members},
    {"GUILD_MEMBER_REMOVE", rules::member_remove, Resource::members},
    {"GUILD_MEMBER_UPDATE", rules::member_update, Resource::members},
    {"GUILD_ROLE_CREATE", rules::role_put, Resource::roles},
    {"GUILD_ROLE_DELETE", rules::role_delete, Resource::roles},
    {"GUILD_ROLE_UPDATE", rules::role_put, Resource::roles},
    {"GUILD_SCHEDULED_EVENT_CREATE", rules::scheduled_event_put, Resource::scheduled_events},
    {"GUILD_SCHEDULED_EVENT_DELETE", rules::scheduled_event_delete, Resource::scheduled_events},
    {"GUILD_SCHEDULED_EVENT_UPDATE", rules::scheduled_event_put, Resource::scheduled_events},
    {"GUILD_SCHEDULED_EVENT_USER_ADD", rules::scheduled_event_user_add, Resource::scheduled_events},
    {"GUILD_SCHEDULED_EVENT_USER_REMOVE", rules::scheduled_event_user_remove, Resource::scheduled_events},
    {"GUILD_SOUNDBOARD_SOUNDS_UPDATE", rules::sounds_update, Resource::guilds},
    {"GUILD_SOUNDBOARD_SOUND_CREATE", rules::sound_put, Resource::guilds},
    {"GUILD_SOUNDBOARD_SOUND_DELETE", rules::sound_delete, Resource::guilds},
    {"GUILD_SOUNDBOARD_SOUND_UPDATE", rules::sound_put, Resource::guilds},
    {"GUILD_STICKERS_UPDATE", rules::stickers_update, Resource::stickers},
    {"GUILD_UPDATE", rules::guild_update, Resource::guilds},
    {"INTEGRATION_CREATE", rules::integration_put, Resource::integrations},
    {"INTEGRATION_DELETE", rules::integration_delete, Resource::integrations},
    {"INTEGRATION_UPDATE", rules::integration_put, Resource::integrations},
    {"INTERACTION_CREATE", rules::interaction_create, Resource::interactions},
    {"INVITE_CREATE", rules::invite_create, Resource::invites},
    {"INVITE_DELETE", rules::invite_delete, Resource::invites},
    {"MESSAGE_CREATE", rules::message_put, Resource::messages},
    {"MESSAGE_DELETE", rules::message_delete, Resource::messages},
    {"MESSAGE_DELETE_BULK", rules::message_delete_bulk, Resource::messages},
    {"MESSAGE_POLL_VOTE_ADD", rules::poll_vote_add, Resource::messages},
    {"MESSAGE_POLL_VOTE_REMOVE", rules::poll_vote_remove, Resource::messages},
    {"MESSAGE_REACTION_ADD", rules::reaction_add, Resource::reactions},
    {"MESSAGE_REACTION_REMOVE", rules::reaction_remove, Resource::reactions},
    {"MESSAGE_REACTION_REMOVE_ALL", rules::reaction_remove_all, Resource::reactions},
    {"MESSAGE_REACTION_REMOVE_EMOJI", rules::reaction_remove_emoji, Resource::reactions},
    {"MESSAGE_UPDATE", rules::message_put, Resource::messages},
    {"PRESENCE_UPDATE", rules::presence_update, Resource::presences},
    {"RATE_LIMITED", nullptr},
    {"READY", rules::ready, Resource::guilds},
    {"RESUMED", nullptr},
    {"SOUNDBOARD_SOUNDS", rules::sounds_replace, Resource::guilds},
    {"STAGE_INSTANCE_CREATE", rules::stage_put, Resource::stage_instances},
    {"STAGE_INSTANCE_DELETE", rules::stage_delete, Resource::stage_instances},
    {"STAGE_INSTANCE_UPDATE", rules::stage_put, Resource::stage_instances},
    {"SUBSCRIPTION_CREATE", nullptr},
    {"SUBSCRIPTION_DELETE", nullptr},
    {"SUBSCRIPTION_UPDATE", nullptr},
    {"THREAD_CREATE", rules::thread_create, Resource::threads},
    {"THREAD_DELETE", rules::thread_delete, Resource::threads},
    {"THREAD_LIST_SYNC", rules::thread_list_sync, Resource::threads},
    {"THREAD_MEMBERS_UPDATE", rules::thread_members_update, Resource::thread_members},
    {"THREAD_MEMBER_UPDATE", rules::thread_member_update, Resource::thread_members},
    {"THREAD_UPDATE", rules::thread_update, Resource::threads},
    {"TYPING_START", nullptr},
    {"USER_UPDATE", rules::user_update, Resource::users},
    {"VOICE_CHANNEL_EFFECT_SEND", nullptr},
    {"VOICE_CHANNEL_START_TIME_UPDATE", rules::channel_merge, Resource::channels},
    {"VOICE_CHANNEL_STATUS_UPDATE", rules::channel_merge, Resource::channels},
    {"VOICE_SERVER_UPDATE", nullptr},
    {"VOICE_STATE_UPDATE", rules::voice_state_update, Resource::voice_states},
    {"WEBHOOKS_UPDATE", rules::webhooks_update, Resource::webhooks},
};
static_assert(std::ranges::is_sorted(event_rules, {}, &EventRule::name));

EventRule const* find_rule(std::string_view name) {
  auto const* const found = std::ranges::lower_bound(event_rules, name, {}, &EventRule::name);
  return found != std::end(event_rules) && found->name == name ? found : nullptr;
}

std::unexpected<Error> bad_dispatch(std::string field, std::string detail) {
  return std::unexpected(
      Error{.code = errors::invalid_dispatch, .detail = std::move(detail), .field = std::move(field)});
}

}  // namespace

Result<Dispatch> Dispatch::read(std::string_view text) {
  auto const object = RawObject::parse(text);
  if (!object) return bad_dispatch("", "a dispatch must be an object that has each name once");
  auto const name = object->find("t");
  if (!is_string(name) || name.size() < 3 || name.size() > 66 || name.find('\\') != std::string_view::npos) {
    return bad_dispatch("t", "t must be the name of an event, with at most 64 characters");
  }
  auto const data = object->find("d");
  Dispatch dispatch{.name = name.substr(1, name.size() - 2), .data = data};
  if (data.empty() || (!is_object(data) && kind_of(dispatch.name) == EventKind::applied)) {
    return bad_dispatch("d", "d must be an object");
  }
  for (auto const& [field, target] :
       {std::pair("s", &dispatch.sequence), std::pair("shard", &dispatch.shard)}) {
    auto const value = object->find(field);
    if (is_absent(value)) continue;
    *target = int_in(value);
    if (!*target || **target < 0) return bad_dispatch(field, fmt::format("{} must be a whole number", field));
  }
  return dispatch;
}

EventKind kind_of(std::string_view name) {
  auto const* const rule = find_rule(name);
  return !rule ? EventKind::unknown : rule->apply ? EventKind::applied : EventKind::ignored;
}

Result<Aftermath> apply_event(Objects& objects, Dispatch const& dispatch) {
  auto const* const rule = find_rule(dispatch.name);
  LARDER_ASSERT(rule && rule->apply);
  TRY(auto const d, object_in(dispatch.data, "d"));
  // While a guild is being removed, its events wait.
  bool const of_guild = dispatch.name == "GUILD_CREATE" || dispatch.name == "GUILD_UPDATE";
  if (auto const guild = id_in(d.find(of_guild ? "id" : "guild_id"))) {
    objects.workspace().require_no_job(
        objects.keys().jobs(),
        CascadeJob{.kind = CascadeJob::Kind::guild, .guild = std::string(*guild)}.name());
  }
  Aftermath after;
  TRY_DO(rule->apply({.objects = objects, .d = d, .text = dispatch.data, .after = after}));
  return after;
}

Resource resource_of(std::string_view event) {
  auto const* const rule = find_rule(event);
  LARDER_ASSERT(rule);
  return rule->resource;
}

std::vector<EventInfo> all_events() {
  std::vector<EventInfo> all;
  for (auto const& rule : event_rules) {
    all.push_back({rule.name, rule.apply ? EventKind::applied : EventKind::ignored});
  }
  return all;
}

}  // namespace larder::cache
