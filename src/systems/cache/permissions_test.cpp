#include "systems/cache/permissions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace larder::cache {

namespace {

using namespace permission;

constexpr auto text_rights = view_channel | send_messages | send_tts_messages | embed_links | attach_files |
                             read_message_history | mention_everyone;
constexpr int text_channel = 0;
constexpr int voice_channel = 2;
constexpr int stage_channel = 13;
constexpr int public_thread = 11;

struct Case {
  std::string_view fact;
  PermissionInput input;
  std::uint64_t permissions;
  std::uint64_t effective;
};

// Guild 1, member 2 with the roles 10 and 11.
PermissionInput member(std::uint64_t everyone, std::optional<ChannelInput> channel = {}) {
  return {.guild = "1",
          .user = "2",
          .everyone = everyone,
          .roles = {{"10", 0}, {"11", 0}},
          .channel = std::move(channel)};
}
PermissionInput with_role(PermissionInput input, std::uint64_t permissions) {
  input.roles[0].permissions = permissions;
  return input;
}
PermissionInput owner(PermissionInput input) {
  input.is_owner = true;
  return input;
}
PermissionInput timed_out(PermissionInput input) {
  input.is_timed_out = true;
  return input;
}
ChannelInput channel(std::vector<Overwrite> overwrites, int type = text_channel) {
  return {.type = type, .is_thread = type >= 10 && type <= 12, .overwrites = std::move(overwrites)};
}
Overwrite role(std::string id, std::uint64_t allow, std::uint64_t deny) { return {id, false, allow, deny}; }
Overwrite user(std::string id, std::uint64_t allow, std::uint64_t deny) { return {id, true, allow, deny}; }

std::vector<Case> cases() {
  auto const all = all_permissions();
  auto const high = bit(63) | bit(52);
  return {
      {"roles add up", with_role(member(view_channel), send_messages), view_channel | send_messages,
       view_channel | send_messages},
      {"bits above 2^53 survive", with_role(member(high), bit(62)), high | bit(62), high | bit(62)},
      {"the owner may do everything", owner(member(0)), all, all},
      {"an administrator may do everything", with_role(member(0), administrator), all, all},
      {"overwrites do not bind an administrator",
       with_role(member(0, channel({user("2", 0, all)})), administrator), all, all},
      {"overwrites do not bind the owner", owner(member(0, channel({role("1", 0, all)}))), all, all},
      {"an overwrite cannot make an administrator",
       member(view_channel, channel({user("2", administrator, 0)})), view_channel | administrator,
       view_channel | administrator},
      {"of one overwrite, allow beats deny",
       member(view_channel, channel({role("1", send_messages, send_messages)})), view_channel | send_messages,
       view_channel | send_messages},
      {"a role's overwrite beats that of @everyone",
       member(view_channel, channel({role("10", send_messages, 0), role("1", 0, send_messages)})),
       view_channel | send_messages, view_channel | send_messages},
      {"of all roles together, allow beats deny",
       member(view_channel, channel({role("10", send_messages, 0), role("11", 0, send_messages)})),
       view_channel | send_messages, view_channel | send_messages},
      {"the member's own overwrite beats those of roles",
       member(view_channel | send_messages,
              channel({user("2", 0, send_messages), role("10", send_messages, 0)})),
       view_channel, view_channel},
      {"overwrites of others do not count",
       member(view_channel, channel({role("12", connect, 0), user("3", connect, view_channel)})),
       view_channel, view_channel},
      {"an overwrite for a role does not match a user with that id",
       member(view_channel, channel({role("2", connect, 0), user("10", connect, 0)})), view_channel,
       view_channel},
      {"without view channel, nothing counts", member(text_rights, channel({role("1", 0, view_channel)})),
       text_rights & ~view_channel, 0},
      {"without send messages, some others do not count",
       member(text_rights, channel({role("1", 0, send_messages)})), text_rights & ~send_messages,
       view_channel | read_message_history},
      {"outside of channels, nothing is implied", member(embed_links), embed_links, embed_links},
      {"in a thread, sending needs its own permission", member(text_rights, channel({}, public_thread)),
       text_rights, view_channel | read_message_history | send_messages},
      {"in a thread, send messages is not needed",
       member((text_rights & ~send_messages) | send_messages_in_threads, channel({}, public_thread)),
       (text_rights & ~send_messages) | send_messages_in_threads,
       (text_rights & ~send_messages) | send_messages_in_threads},
      {"in voice without connect, one only sees the channel", member(text_rights, channel({}, voice_channel)),
       text_rights, view_channel},
      {"the same on a stage", member(text_rights | connect, channel({role("1", 0, connect)}, stage_channel)),
       text_rights, view_channel},
      {"in voice with connect, everything counts", member(text_rights | connect, channel({}, voice_channel)),
       text_rights | connect, text_rights | connect},
      {"a timed-out member may only read", timed_out(member(text_rights | connect)),
       view_channel | read_message_history, view_channel | read_message_history},
      {"a timeout comes after the overwrites",
       timed_out(member(view_channel, channel({user("2", send_messages | read_message_history, 0)}))),
       view_channel | read_message_history, view_channel | read_message_history},
      {"a timeout does not bind the owner", timed_out(owner(member(0))), all, all},
      {"a timeout does not bind an administrator", timed_out(with_role(member(0), administrator)), all, all},
  };
}

TEST(Permissions, are_calculated_as_discord_documents) {
  for (auto const& [fact, input, permissions, effective] : cases()) {
    auto const result = calculate(input);
    EXPECT_EQ(permission_names(result.permissions), permission_names(permissions)) << fact;
    EXPECT_EQ(permission_names(result.effective), permission_names(effective)) << fact;
  }
}

TEST(Permissions, have_discords_names) {
  EXPECT_EQ(permission_name(3), "ADMINISTRATOR");
  EXPECT_EQ(permission_name(10), "VIEW_CHANNEL");
  EXPECT_EQ(permission_name(20), "CONNECT");
  EXPECT_EQ(permission_name(28), "MANAGE_ROLES");
  EXPECT_EQ(permission_name(30), "MANAGE_GUILD_EXPRESSIONS");
  EXPECT_EQ(permission_name(38), "SEND_MESSAGES_IN_THREADS");
  EXPECT_EQ(permission_name(40), "MODERATE_MEMBERS");
  EXPECT_EQ(permission_name(47), "BIT_47");
  EXPECT_EQ(permission_name(52), "BYPASS_SLOWMODE");
  EXPECT_EQ(permission_name(63), "BIT_63");
  EXPECT_EQ(fmt::to_string(fmt::join(permission_names(bit(63) | bit(10) | bit(0)), " ")),
            "CREATE_INSTANT_INVITE VIEW_CHANNEL BIT_63");
  EXPECT_EQ(all_permissions(), (bit(53) - 1) & ~bit(47));
}

}  // namespace

}  // namespace larder::cache
