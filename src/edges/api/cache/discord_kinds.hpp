// The kinds of ids in paths and queries below /v1/discord, and the collections of a guild.
#pragma once

#include "edges/api/cache/cache_part.hpp"
#include "edges/http/query.hpp"
#include "systems/cache/snowflake.hpp"

namespace larder::api {

// A text that is part of a key.
struct DiscordId {
  bool (*is_good)(std::string_view);
  std::string_view expectation;
  std::int64_t chars_max;

  FieldType type() const { return type::text(1, chars_max); }
  std::string path(QueryReader& in, std::string_view name) const {
    return checked(in, name, in.path_text(name, any_length));
  }
  std::optional<std::string> optional(QueryReader& in, std::string_view name) const {
    auto text = in.optional_text(name, any_length);
    return text ? std::optional(checked(in, name, std::move(*text))) : std::nullopt;
  }

 private:
  static constexpr TextRule any_length{.chars_min = 0, .chars_max = limits::header_bytes_max};

  std::string checked(QueryReader& in, std::string_view name, std::string text) const {
    if (!is_good(text)) in.problem(name, std::string(expectation));
    return text;
  }
};
inline constexpr DiscordId snowflake{&cache::is_snowflake, "must be an id of Discord, a number in digits",
                                     20};
inline constexpr DiscordId discord_code{&cache::is_code, "must have 1 to 64 characters of A-Z a-z 0-9 -", 64};
inline constexpr DiscordId emoji_name{
    &cache::is_emoji_name,
    "must be the id of a custom emoji, or the name of another one: 1 to 64 bytes without a colon", 64};

inline constexpr std::string_view raw_says = "as Redis has it, instead of in the form of Discord's API";

// A collection of a guild, /v1/discord/guilds/{guild_id}/{collection}, and its objects.
struct GuildCollection {
  std::string_view name;
  cache::CollectionKind list;
  cache::ObjectKind object;
  DiscordId const* id = &snowflake;
};

inline constexpr GuildCollection guild_collections[] = {
    {"channels", cache::CollectionKind::channels, cache::ObjectKind::channel},
    {"roles", cache::CollectionKind::roles, cache::ObjectKind::role},
    {"emojis", cache::CollectionKind::emojis, cache::ObjectKind::emoji},
    {"stickers", cache::CollectionKind::stickers, cache::ObjectKind::sticker},
    {"members", cache::CollectionKind::members, cache::ObjectKind::member},
    {"voice-states", cache::CollectionKind::voice_states, cache::ObjectKind::voice_state},
    {"presences", cache::CollectionKind::presences, cache::ObjectKind::presence},
    {"automod-rules", cache::CollectionKind::automod_rules, cache::ObjectKind::automod_rule},
    {"scheduled-events", cache::CollectionKind::scheduled_events, cache::ObjectKind::scheduled_event},
    {"integrations", cache::CollectionKind::integrations, cache::ObjectKind::integration},
    {"templates", cache::CollectionKind::templates, cache::ObjectKind::guild_template, &discord_code},
    {"bans", cache::CollectionKind::bans, cache::ObjectKind::ban},
    {"invites", cache::CollectionKind::invites, cache::ObjectKind::invite, &discord_code},
    {"stage-instances", cache::CollectionKind::stage_instances, cache::ObjectKind::stage_instance},
    {"threads", cache::CollectionKind::threads, cache::ObjectKind::thread},
    {"webhooks", cache::CollectionKind::webhooks, cache::ObjectKind::webhook},
};

// The collections that PUT and DELETE can change.
inline constexpr GuildCollection written_collections[] = {
    {"templates", cache::CollectionKind::templates, cache::ObjectKind::guild_template, &discord_code},
    {"bans", cache::CollectionKind::bans, cache::ObjectKind::ban},
    {"webhooks", cache::CollectionKind::webhooks, cache::ObjectKind::webhook},
};

struct CollectionName {
  std::span<GuildCollection const> among;

  std::vector<std::string_view> names() const;
  FieldType type() const { return type::choice(names()); }
  GuildCollection const* path(QueryReader& in, std::string_view name) const {
    return &among[in.path_choice(name, names())];
  }
};

// An object that a request names.
struct AskedObject {
  cache::ObjectKey key;
  GuildCollection const* collection = nullptr;
  bool raw = false;

  cache::Form form() const { return raw ? cache::Form::raw : cache::Form::whole; }
};

// An object that has an id of its own.
Schema<AskedObject> asked_by_id(cache::ObjectKind kind, std::string_view name, DiscordId const& id,
                                std::string_view description);
// An object that a guild has only one of.
Schema<AskedObject> asked_of_guild(cache::ObjectKind kind);
// An object of a collection of a guild.
Schema<AskedObject> asked_in_guild(std::span<GuildCollection const> among);
Schema<AskedObject> asked_command();
Schema<AskedObject> asked_thread_member();
// The object may also be read as it is stored.
Schema<AskedObject> or_raw(Schema<AskedObject> schema);

}  // namespace larder::api
