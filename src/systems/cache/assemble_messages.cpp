// Messages and interactions, which have most of the nested objects.
#include "systems/cache/assembler.hpp"
#include "systems/cache/interactions.hpp"
#include "systems/cache/snowflake.hpp"

#include <fmt/format.h>

namespace larder::cache {

namespace {

// What the user may do in a channel, as the interaction said. Interactions keep it next to the ids.
std::string with_permissions(std::string text, RawObject const* permissions, std::string_view name) {
  auto const value = permissions ? permissions->find(name) : std::string_view();
  auto object = RawObject::parse(text);
  if (!object || value.empty()) return text;
  object->set_view("permissions", value);
  return object->text();
}

// The permissions that were kept in an object. They are hidden from its readers.
std::optional<RawObject> take_permissions(RawObject& object) {
  auto permissions = RawObject::parse(object.find(kept_permissions));
  object.erase(kept_permissions);
  return permissions;
}

RawObject const* pointer_to(std::optional<RawObject> const& object) { return object ? &*object : nullptr; }

}  // namespace

// Not every message says which guild it is in, and not every message has a part that needs the guild.
std::string Assembler::guild_of_message(RawObject const& message, std::string guild) {
  if (auto const own = id_in(message.find("guild_id"))) return std::string(*own);
  if (!guild.empty()) return guild;
  bool const matters = message.has("member") || message.has("interaction") ||
                       message.has("interaction_metadata") || message.has("resolved");
  auto const channel = id_in(message.find("channel_id"));
  if (!matters || !channel) return {};
  if (auto const known = reads().text(keys().guild_of(*channel))) return std::string(*known);
  auto const thread = stored_.parse(reads().text(keys().thread(*channel)));
  return std::string(thread ? id_in(thread->find("guild_id")).value_or("") : "");
}

void Assembler::restore_interaction_users(RawObject& object, std::string_view field, Id guild) {
  auto inner = RawObject::parse(object.find(field));
  if (!inner) return;
  restore_user(*inner, "user");
  restore_user(*inner, "target_user");
  restore_member(*inner, "member", guild, MemberForm::without_user);
  restore_interaction_users(*inner, "triggering_interaction_metadata", guild);
  object.set(field, inner->text());
}

void Assembler::restore_message(RawObject& message, std::string guild, Depth depth) {
  guild = guild_of_message(message, std::move(guild));
  restore_user(message, "author");
  restore_users(message, "mentions");
  restore_member(message, "member", guild, MemberForm::without_user);
  if (auto const id = id_in(message.find("referenced_message"))) {
    auto text = depth == Depth::outer ? this->message(*id, guild, Depth::referenced) : std::nullopt;
    if (text) {
      message.set("referenced_message", std::move(*text));
    } else {
      message.erase("referenced_message");
    }
  }
  if (auto const id = id_in(message.find("thread"))) {
    auto const thread = stored_.parse(reads().text(keys().thread(*id)));
    if (thread) {
      message.set("thread", thread->text());
    } else {
      message.erase("thread");
    }
  }
  restore_interaction_users(message, "interaction", guild);
  restore_interaction_users(message, "interaction_metadata", guild);
  restore_resolved(message, guild);
}

std::optional<std::string> Assembler::message(Id id, Id guild, Depth depth) {
  auto message = stored_.parse(reads().text(keys().message(id)));
  if (!message) return std::nullopt;
  restore_message(*message, std::string(guild), depth);
  return message->text();
}

std::optional<std::string> Assembler::channel(Id guild, Id id) {
  ObjectKey const key{.kind = ObjectKind::channel,
                      .parent = std::string(guild.empty() ? direct_messages : guild),
                      .id = std::string(id)};
  auto channel = stored_.get(key);
  if (!channel) return std::nullopt;
  restore_users(*channel, "recipients");
  return channel->text();
}

std::optional<std::string> Assembler::resolved_object(std::string_view kind, Id guild, Id id) {
  if (kind == "users") return user(id);
  if (kind == "channels") return channel(guild, id);
  if (kind == "messages") return message(id, guild, Depth::referenced);
  if (guild.empty()) return std::nullopt;
  if (kind == "members") return member(guild, id, MemberForm::without_user);
  auto const role = stored_.parse(reads().field(keys().roles(guild), id));
  return role ? std::optional(role->text()) : std::nullopt;
}

// Where Discord has an object whose names are ids, Redis has an array of these ids.
void Assembler::restore_resolved(RawObject& object, Id guild) {
  auto resolved = RawObject::parse(object.find("resolved"));
  if (!resolved) return;
  auto const permissions = take_permissions(*resolved);
  for (std::string_view const kind : resolved_kinds) {
    if (!is_array(resolved->find(kind))) continue;
    auto const of_kind = permissions ? RawObject::parse(permissions->find(kind)) : std::nullopt;
    RawObject map;
    for (auto const element : elements_of(resolved->find(kind))) {
      auto const id = id_in(element);
      auto text = id ? resolved_object(kind, guild, *id) : std::nullopt;
      if (text) map.set(*id, with_permissions(std::move(*text), pointer_to(of_kind), *id));
    }
    resolved->set(kind, map.text());
  }
  object.set("resolved", resolved->text());
}

void Assembler::restore_interaction(RawObject& interaction) {
  auto const permissions = take_permissions(interaction);
  std::string const guild(id_in(interaction.find("guild_id")).value_or(""));
  restore_user(interaction, "user");
  if (auto const id = id_in(interaction.find("member"))) {
    auto text = is_snowflake(guild) ? member(guild, *id, MemberForm::with_user) : std::nullopt;
    if (!text) text = fmt::format(R"({{"user":{}}})", user(*id));
    interaction.set("member", with_permissions(std::move(*text), pointer_to(permissions), "member"));
  }
  if (auto const id = id_in(interaction.find("channel"))) {
    auto text = channel(guild, *id);
    if (!text) text = fmt::format(R"({{"id":"{}"}})", *id);
    interaction.set("channel", with_permissions(std::move(*text), pointer_to(permissions), "channel"));
  }
  if (auto const id = id_in(interaction.find("message"))) {
    auto text = message(*id, guild, Depth::outer);
    interaction.set("message", text ? std::move(*text) : fmt::format(R"({{"id":"{}"}})", *id));
  }
  auto data = RawObject::parse(interaction.find("data"));
  if (!data) return;
  restore_resolved(*data, guild);
  interaction.set("data", data->text());
}

}  // namespace larder::cache
