// The objects as they were before an event.
#include "systems/cache/assemble.hpp"
#include "systems/cache/object_places.hpp"
#include "systems/cache/snowflake.hpp"

#include <algorithm>

namespace larder::cache {

namespace {

// Where an event has the ids of the object that it updates or deletes. "user.id" is the id inside `user`.
struct BeforeRule {
  std::string_view event;
  ObjectKind kind;
  std::string_view parent;  // empty: none
  std::string_view id;
};

// Sorted by event.
constexpr BeforeRule before_rules[] = {
    {"AUTO_MODERATION_RULE_DELETE", ObjectKind::automod_rule, "guild_id", "id"},
    {"AUTO_MODERATION_RULE_UPDATE", ObjectKind::automod_rule, "guild_id", "id"},
    {"CHANNEL_DELETE", ObjectKind::channel, "guild_id", "id"},
    {"CHANNEL_PINS_UPDATE", ObjectKind::channel, "guild_id", "channel_id"},
    {"CHANNEL_UPDATE", ObjectKind::channel, "guild_id", "id"},
    {"GUILD_BAN_REMOVE", ObjectKind::ban, "guild_id", "user.id"},
    {"GUILD_DELETE", ObjectKind::guild, "", "id"},
    {"GUILD_MEMBER_REMOVE", ObjectKind::member, "guild_id", "user.id"},
    {"GUILD_MEMBER_UPDATE", ObjectKind::member, "guild_id", "user.id"},
    {"GUILD_ROLE_DELETE", ObjectKind::role, "guild_id", "role_id"},
    {"GUILD_ROLE_UPDATE", ObjectKind::role, "guild_id", "role.id"},
    {"GUILD_SCHEDULED_EVENT_DELETE", ObjectKind::scheduled_event, "guild_id", "id"},
    {"GUILD_SCHEDULED_EVENT_UPDATE", ObjectKind::scheduled_event, "guild_id", "id"},
    {"GUILD_UPDATE", ObjectKind::guild, "", "id"},
    {"INTEGRATION_DELETE", ObjectKind::integration, "guild_id", "id"},
    {"INTEGRATION_UPDATE", ObjectKind::integration, "guild_id", "id"},
    {"INVITE_DELETE", ObjectKind::invite, "", "code"},
    {"MESSAGE_DELETE", ObjectKind::message, "", "id"},
    {"MESSAGE_DELETE_BULK", ObjectKind::message, "", "ids"},
    {"MESSAGE_UPDATE", ObjectKind::message, "", "id"},
    {"PRESENCE_UPDATE", ObjectKind::presence, "guild_id", "user.id"},
    {"STAGE_INSTANCE_DELETE", ObjectKind::stage_instance, "", "channel_id"},
    {"STAGE_INSTANCE_UPDATE", ObjectKind::stage_instance, "", "channel_id"},
    {"THREAD_DELETE", ObjectKind::thread, "", "id"},
    {"THREAD_MEMBER_UPDATE", ObjectKind::thread_member, "id", "user_id"},
    {"THREAD_UPDATE", ObjectKind::thread, "", "id"},
    {"USER_UPDATE", ObjectKind::user, "", "id"},
    {"VOICE_CHANNEL_START_TIME_UPDATE", ObjectKind::channel, "guild_id", "id"},
    {"VOICE_CHANNEL_STATUS_UPDATE", ObjectKind::channel, "guild_id", "id"},
    {"VOICE_STATE_UPDATE", ObjectKind::voice_state, "guild_id", "user_id"},
};
static_assert(std::ranges::is_sorted(before_rules, {}, &BeforeRule::event));

std::string_view value_at(RawObject const& object, std::string_view path) {
  auto const dot = path.find('.');
  if (dot == std::string_view::npos) return object.find(path);
  auto const inner = RawObject::parse(object.find(path.substr(0, dot)));
  return inner ? inner->find(path.substr(dot + 1)) : std::string_view();
}

std::string id_at(RawObject const& object, std::string_view path) {
  return path.empty() ? std::string() : text_in(value_at(object, path)).value_or("");
}

}  // namespace

std::vector<std::string> before_of(Reads& reads, CacheKeys const& keys, Dispatch const& dispatch) {
  std::vector<std::string> objects;
  auto const* const rule = std::ranges::lower_bound(before_rules, dispatch.name, {}, &BeforeRule::event);
  auto const d = RawObject::parse(dispatch.data);
  if (rule == std::end(before_rules) || rule->event != dispatch.name || !d) return objects;
  auto const add = [&](std::string parent, std::string id) {
    auto object = assemble(
        reads, keys, {.kind = rule->kind, .parent = std::move(parent), .id = std::move(id)}, Form::whole);
    if (object) objects.push_back(std::move(*object));
  };
  auto parent = id_at(*d, rule->parent);
  auto id = id_at(*d, rule->id);
  if (rule->kind == ObjectKind::channel && parent.empty()) parent = direct_messages;
  // The bot's own thread member often lacks the user.
  if (rule->kind == ObjectKind::thread_member && id.empty()) id = reads.text(keys.self()).value_or("");
  if (is_array(value_at(*d, rule->id))) {
    for (auto const element : elements_of(value_at(*d, rule->id))) add(parent, text_in(element).value_or(""));
  } else {
    add(std::move(parent), std::move(id));
  }
  return objects;
}

std::vector<std::string_view> events_with_before() {
  std::vector<std::string_view> events;
  for (auto const& rule : before_rules) events.push_back(rule.event);
  return events;
}

}  // namespace larder::cache
