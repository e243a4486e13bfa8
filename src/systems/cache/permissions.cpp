#include "systems/cache/permissions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace larder::cache {

namespace {

constexpr std::array<std::string_view, 53> permission_bit_names = {
    "CREATE_INSTANT_INVITE",
    "KICK_MEMBERS",
    "BAN_MEMBERS",
    "ADMINISTRATOR",
    "MANAGE_CHANNELS",
    "MANAGE_GUILD",
    "ADD_REACTIONS",
    "VIEW_AUDIT_LOG",
    "PRIORITY_SPEAKER",
    "STREAM",
    "VIEW_CHANNEL",  // 10
    "SEND_MESSAGES",
    "SEND_TTS_MESSAGES",
    "MANAGE_MESSAGES",
    "EMBED_LINKS",
    "ATTACH_FILES",
    "READ_MESSAGE_HISTORY",
    "MENTION_EVERYONE",
    "USE_EXTERNAL_EMOJIS",
    "VIEW_GUILD_INSIGHTS",
    "CONNECT",  // 20
    "SPEAK",
    "MUTE_MEMBERS",
    "DEAFEN_MEMBERS",
    "MOVE_MEMBERS",
    "USE_VAD",
    "CHANGE_NICKNAME",
    "MANAGE_NICKNAMES",
    "MANAGE_ROLES",
    "MANAGE_WEBHOOKS",
    "MANAGE_GUILD_EXPRESSIONS",  // 30
    "USE_APPLICATION_COMMANDS",
    "REQUEST_TO_SPEAK",
    "MANAGE_EVENTS",
    "MANAGE_THREADS",
    "CREATE_PUBLIC_THREADS",
    "CREATE_PRIVATE_THREADS",
    "USE_EXTERNAL_STICKERS",
    "SEND_MESSAGES_IN_THREADS",
    "USE_EMBEDDED_ACTIVITIES",
    "MODERATE_MEMBERS",  // 40
    "VIEW_CREATOR_MONETIZATION_ANALYTICS",
    "USE_SOUNDBOARD",
    "CREATE_GUILD_EXPRESSIONS",
    "CREATE_EVENTS",
    "USE_EXTERNAL_SOUNDS",
    "SEND_VOICE_MESSAGES",
    "",  // 47: Discord does not use it
    "SET_VOICE_CHANNEL_STATUS",
    "SEND_POLLS",
    "USE_EXTERNAL_APPS",  // 50
    "PIN_MESSAGES",
    "BYPASS_SLOWMODE",
};

// Discord's types of channels that users connect to.
constexpr int voice_type = 2;
constexpr int stage_type = 13;

std::uint64_t base_permissions(PermissionInput const& input) {
  auto base = input.everyone;
  for (auto const& role : input.roles) base |= role.permissions;
  return base;
}

std::uint64_t with_overwrites(std::uint64_t permissions, PermissionInput const& input) {
  Overwrite everyone;
  Overwrite roles;
  Overwrite member;
  for (auto const& overwrite : input.channel->overwrites) {
    bool const of_role =
        !overwrite.of_member &&
        std::ranges::find(input.roles, overwrite.id, &PermissionInput::Role::id) != input.roles.end();
    auto* const target = overwrite.of_member           ? (overwrite.id == input.user ? &member : nullptr)
                         : overwrite.id == input.guild ? &everyone
                         : of_role                     ? &roles
                                                       : nullptr;
    if (!target) continue;
    target->allow |= overwrite.allow;
    target->deny |= overwrite.deny;
  }
  for (auto const* const overwrite : {&everyone, &roles, &member}) {
    permissions = (permissions & ~overwrite->deny) | overwrite->allow;
  }
  return permissions;
}

// Leaves out permissions that count only together with one that is missing.
std::uint64_t without_implied_denials(std::uint64_t permissions, ChannelInput const& channel) {
  using namespace permission;
  auto const lacks = [&](std::uint64_t bits) { return (permissions & bits) == 0; };
  if (lacks(view_channel)) return 0;
  bool const is_voice = channel.type == voice_type || channel.type == stage_type;
  // A user who may not connect still sees the channel.
  if (is_voice && !channel.is_thread && lacks(connect)) return view_channel;
  if (lacks(channel.is_thread ? send_messages_in_threads : send_messages)) {
    permissions &= ~(mention_everyone | send_tts_messages | attach_files | embed_links);
  }
  return permissions;
}

}  // namespace

std::string permission_name(int bit) {
  auto const index = std::size_t(bit);
  bool const known = index < permission_bit_names.size() && !permission_bit_names[index].empty();
  return known ? std::string(permission_bit_names[index]) : fmt::format("BIT_{}", bit);
}

std::vector<std::string> permission_names(std::uint64_t permissions) {
  std::vector<std::string> names;
  for (int number = 0; number < 64; ++number) {
    if ((permissions & permission::bit(number)) != 0) names.push_back(permission_name(number));
  }
  return names;
}

std::uint64_t all_permissions() {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < permission_bit_names.size(); ++i) {
    if (!permission_bit_names[i].empty()) all |= permission::bit(int(i));
  }
  return all;
}

Permissions calculate(PermissionInput const& input) {
  auto permissions = base_permissions(input);
  // Overwrites, a timeout and implied denials do not apply to the owner and to administrators.
  if (input.is_owner || (permissions & permission::administrator) != 0) {
    permissions |= all_permissions();
    return {.permissions = permissions, .effective = permissions};
  }
  if (input.channel) permissions = with_overwrites(permissions, input);
  if (input.is_timed_out) permissions &= permission::view_channel | permission::read_message_history;
  return {.permissions = permissions,
          .effective = input.channel ? without_implied_denials(permissions, *input.channel) : permissions};
}

}  // namespace larder::cache
