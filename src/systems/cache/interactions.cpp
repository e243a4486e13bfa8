// Interactions, and the objects that a command or a menu refers to.
#include "systems/cache/interactions.hpp"

#include "base/try.hpp"
#include "systems/cache/objects.hpp"
#include "systems/cache/snowflake.hpp"

#include <fmt/format.h>

namespace larder::cache {

namespace {

void keep_permissions(RawObject& kept, std::string_view name, RawObject const& object) {
  if (auto const permissions = object.find("permissions"); !permissions.empty()) {
    kept.set(name, std::string(permissions));
  }
}

}  // namespace

Result<void> Objects::take_resolved(RawObject& object, std::optional<Id> guild) {
  if (!is_object(object.find("resolved"))) return {};
  TRY(auto resolved, object_in(object.find("resolved"), "resolved"));
  RawObject permissions;
  for (auto const kind : resolved_kinds) {
    if (!is_object(resolved.find(kind))) continue;
    if (!guild && (kind == "members" || kind == "roles")) continue;
    TRY(auto const map, object_in(resolved.find(kind), kind));
    std::vector<std::string> ids;
    RawObject permissions_of_kind;
    for (auto const& [id, value] : map.members()) {
      if (!is_snowflake(id)) {
        return std::unexpected(Error{.code = errors::invalid_dispatch,
                                     .detail = fmt::format("resolved.{} must have ids as names", kind),
                                     .field = "resolved"});
      }
      ids.push_back(fmt::format("\"{}\"", id));
      TRY(auto part, object_in(value, kind));
      keep_permissions(permissions_of_kind, id, part);
      if (kind == "members" || kind == "channels") part.erase("permissions");
      auto const text = part.text();
      if (kind == "users") TRY_DO(put_user(text));
      if (kind == "members") TRY_DO(put_member(*guild, text, Put::merge, id));
      if (kind == "messages") TRY_DO(put_message(text, guild));
      if (kind == "channels") TRY_DO(put_channel(guild, text, Put::merge));
      if (kind == "roles") {
        TRY(auto role, take_simple(value, "role"));
        put_field(Resource::roles, keys().roles(*guild), std::move(role), Put::merge);
      }
    }
    resolved.set(kind, array_of({ids.begin(), ids.end()}));
    if (kind != "roles" && !permissions_of_kind.empty()) permissions.set(kind, permissions_of_kind.text());
  }
  if (!permissions.empty()) resolved.set(kept_permissions, permissions.text());
  object.set("resolved", resolved.text());
  return {};
}

Result<Id> Objects::put_interaction(std::string_view value) {
  TRY(auto interaction, object_in(value, "interaction"));
  TRY(auto const id, id_of(interaction, "id"));
  TRY(auto const guild, optional_id_of(interaction, "guild_id"));
  interaction.erase("token");  // a secret: anybody who has it may answer
  RawObject permissions;
  TRY_DO(take_out(interaction, "user", &Objects::put_user));
  if (is_object(interaction.find("member")) && guild) {
    TRY(auto member, object_in(interaction.find("member"), "member"));
    keep_permissions(permissions, "member", member);
    member.erase("permissions");
    auto const text = member.text();
    TRY(auto const user, put_member(*guild, text, Put::merge));
    interaction.set("member", fmt::format("\"{}\"", user));
  }
  if (is_object(interaction.find("channel"))) {
    TRY(auto channel, object_in(interaction.find("channel"), "channel"));
    keep_permissions(permissions, "channel", channel);
    channel.erase("permissions");
    auto const text = channel.text();
    TRY(auto const channel_id, put_channel(guild, text, Put::merge));
    interaction.set("channel", fmt::format("\"{}\"", channel_id));
  }
  if (is_object(interaction.find("message"))) {
    TRY(auto const message, put_message(interaction.find("message"), guild));
    interaction.set("message", fmt::format("\"{}\"", message));
  }
  if (is_object(interaction.find("data"))) {
    TRY(auto data, object_in(interaction.find("data"), "data"));
    TRY_DO(take_resolved(data, guild));
    interaction.set("data", data.text());
  }
  if (!permissions.empty()) interaction.set(kept_permissions, permissions.text());
  if (keeps(Resource::interactions)) {
    workspace_.set_text(keys().interaction(id), interaction.text(), ttl(Resource::interactions));
  }
  return id;
}

}  // namespace larder::cache
