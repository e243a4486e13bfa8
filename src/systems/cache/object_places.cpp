#include "systems/cache/object_places.hpp"

#include "systems/cache/snowflake.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::cache {

namespace {

using Parent = KindInfo::Parent;
using IdForm = KindInfo::IdForm;

constexpr KindInfo kinds[] = {
    {ObjectKind::application, "application", Resource::applications, Parent::none},
    {ObjectKind::automod_rule, "automod_rule", Resource::automod_rules, Parent::required},
    {ObjectKind::ban, "ban", Resource::bans, Parent::required},
    {ObjectKind::channel, "channel", Resource::channels, Parent::optional},
    {ObjectKind::command, "command", Resource::commands, Parent::required},
    {ObjectKind::emoji, "emoji", Resource::emojis, Parent::required},
    {ObjectKind::guild, "guild", Resource::guilds, Parent::none},
    {ObjectKind::integration, "integration", Resource::integrations, Parent::required},
    {ObjectKind::interaction, "interaction", Resource::interactions, Parent::none},
    {ObjectKind::invite, "invite", Resource::invites, Parent::optional, IdForm::code},
    {ObjectKind::member, "member", Resource::members, Parent::required},
    {ObjectKind::message, "message", Resource::messages, Parent::none},
    {ObjectKind::presence, "presence", Resource::presences, Parent::required},
    {ObjectKind::role, "role", Resource::roles, Parent::required},
    {ObjectKind::scheduled_event, "scheduled_event", Resource::scheduled_events, Parent::required},
    {ObjectKind::stage_instance, "stage_instance", Resource::stage_instances, Parent::optional},
    {ObjectKind::sticker, "sticker", Resource::stickers, Parent::required},
    {ObjectKind::guild_template, "template", Resource::templates, Parent::required, IdForm::code},
    {ObjectKind::thread, "thread", Resource::threads, Parent::optional},
    {ObjectKind::thread_member, "thread_member", Resource::thread_members, Parent::required},
    {ObjectKind::user, "user", Resource::users, Parent::none},
    {ObjectKind::voice_state, "voice_state", Resource::voice_states, Parent::required},
    {ObjectKind::webhook, "webhook", Resource::webhooks, Parent::optional},
    {ObjectKind::welcome_screen, "welcome_screen", Resource::welcome_screens, Parent::required, IdForm::none},
    {ObjectKind::widget, "widget", Resource::widgets, Parent::required, IdForm::none},
};
consteval bool kinds_are_in_order() {
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    if (std::size_t(kinds[i].kind) != i) return false;
  }
  return true;
}
static_assert(kinds_are_in_order());

}  // namespace

KindInfo const& info_of(ObjectKind kind) { return kinds[std::size_t(kind)]; }
std::span<KindInfo const> all_kinds() { return kinds; }

bool is_valid(ObjectKey const& key) {
  auto const& info = info_of(key.kind);
  bool const direct = key.kind == ObjectKind::channel && key.parent == direct_messages;
  bool const has_parent = direct || is_snowflake(key.parent);
  if (info.parent == Parent::required && !has_parent) return false;
  if (info.parent == Parent::optional && !has_parent && !key.parent.empty()) return false;
  if (info.parent == Parent::none && !key.parent.empty()) return false;
  switch (info.id) {
    case IdForm::none: return key.id.empty();
    case IdForm::snowflake: return is_snowflake(key.id);
    case IdForm::code: return is_code(key.id);
  }
  return false;
}

std::optional<Place> place_of(CacheKeys const& keys, ObjectKey const& key) {
  if (!is_valid(key)) return std::nullopt;
  auto const& [kind, parent, id] = key;
  switch (kind) {
    case ObjectKind::application: return Place{keys.application(id)};
    case ObjectKind::automod_rule: return Place{keys.automod_rules(parent), id};
    case ObjectKind::ban: return Place{keys.ban(parent, id)};
    case ObjectKind::channel: return Place{keys.channels(parent.empty() ? direct_messages : parent), id};
    case ObjectKind::command: return Place{keys.commands(parent), id};
    case ObjectKind::emoji: return Place{keys.emojis(parent), id};
    case ObjectKind::guild: return Place{keys.guild(id)};
    case ObjectKind::integration: return Place{keys.integrations(parent), id};
    case ObjectKind::interaction: return Place{keys.interaction(id)};
    case ObjectKind::invite: return Place{keys.invite(id)};
    case ObjectKind::member: return Place{keys.member(parent, id)};
    case ObjectKind::message: return Place{keys.message(id)};
    case ObjectKind::presence: return Place{keys.presence(parent, id)};
    case ObjectKind::role: return Place{keys.roles(parent), id};
    case ObjectKind::scheduled_event: return Place{keys.scheduled_events(parent), id};
    case ObjectKind::stage_instance: return Place{keys.stage_instance(id)};
    case ObjectKind::sticker: return Place{keys.stickers(parent), id};
    case ObjectKind::guild_template: return Place{keys.templates(parent), id};
    case ObjectKind::thread: return Place{keys.thread(id)};
    case ObjectKind::thread_member: return Place{keys.thread_members(parent), id};
    case ObjectKind::user: return Place{keys.user(id)};
    case ObjectKind::voice_state: return Place{keys.voice_states(parent), id};
    case ObjectKind::webhook: return Place{keys.webhook(id)};
    case ObjectKind::welcome_screen: return Place{keys.welcome_screen(parent)};
    case ObjectKind::widget: return Place{keys.widget(parent)};
  }
  return std::nullopt;
}

Result<ObjectKey> read_object_key(std::span<std::string_view const> words) {
  if (words.empty()) return invalid("", "a key must begin with the kind of an object");
  auto const* const info = std::ranges::find(kinds, words.front(), &KindInfo::name);
  if (info == std::end(kinds)) {
    std::string names;
    for (auto const& each : kinds) names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
    return invalid("", fmt::format("no object has the kind {}; the kinds are {}", words.front(), names));
  }
  auto ids = words.subspan(1);
  std::size_t const has_id = info->id == IdForm::none ? 0 : 1;
  std::size_t const least = has_id + (info->parent == Parent::required ? 1 : 0);
  std::size_t const most = has_id + (info->parent == Parent::none ? 0 : 1);
  if (ids.size() < least || ids.size() > most) {
    return invalid("",
                   fmt::format("the kind {} takes {} {}", info->name,
                               least == most ? fmt::to_string(least) : fmt::format("{} or {}", least, most),
                               most == 1 ? "id" : "ids"));
  }
  ObjectKey key{.kind = info->kind};
  if (ids.size() > has_id) {
    key.parent = ids.front();
    ids = ids.subspan(1);
  }
  if (has_id > 0) key.id = ids.front();
  if (!is_valid(key)) return invalid("", fmt::format("an id of this {} is malformed", info->name));
  return key;
}

}  // namespace larder::cache
