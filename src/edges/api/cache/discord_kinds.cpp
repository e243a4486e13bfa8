#include "edges/api/cache/discord_kinds.hpp"

namespace larder::api {

namespace {

std::string& parent_of(AskedObject& asked) { return asked.key.parent; }
std::string& id_of(AskedObject& asked) { return asked.key.id; }

Schema<AskedObject> asked_object(cache::ObjectKind kind) {
  return Schema<AskedObject>().also([kind](RequestReader&, AskedObject& out) { out.key.kind = kind; });
}

}  // namespace

std::vector<std::string_view> CollectionName::names() const {
  std::vector<std::string_view> names;
  for (auto const& collection : among) names.push_back(collection.name);
  return names;
}

Schema<AskedObject> asked_by_id(cache::ObjectKind kind, std::string_view name, DiscordId const& id,
                                std::string_view description) {
  return asked_object(kind).path(name, id, &id_of, description);
}

Schema<AskedObject> asked_of_guild(cache::ObjectKind kind) {
  return asked_object(kind).path("guild_id", snowflake, &parent_of, "the guild");
}

// What the id may be depends on the collection.
Schema<AskedObject> asked_in_guild(std::span<GuildCollection const> among) {
  return Schema<AskedObject>()
      .path("guild_id", snowflake, &parent_of, "the guild")
      .path("collection", CollectionName{among}, &AskedObject::collection, "what kind of object")
      .path(
          "id", kind::text(1, limits::header_bytes_max), &id_of,
          "the object: the id of a user for members, presences, voice states and bans, the id of the channel "
          "for stage instances, the code for invites and templates, otherwise its own id")
      .also([](RequestReader& in, AskedObject& out) {
        out.key.kind = out.collection->object;
        auto const& id = *out.collection->id;
        if (!id.is_good(out.key.id)) in.query().problem("id", std::string(id.expectation));
      });
}

Schema<AskedObject> asked_command() {
  return asked_object(cache::ObjectKind::command)
      .path("application_id", snowflake, &parent_of, "the application")
      .path("command_id", snowflake, &id_of, "the command");
}

Schema<AskedObject> asked_thread_member() {
  return asked_object(cache::ObjectKind::thread_member)
      .path("thread_id", snowflake, &parent_of, "the thread")
      .path("user_id", snowflake, &id_of, "the user");
}

Schema<AskedObject> or_raw(Schema<AskedObject> schema) {
  return std::move(schema).optional_query("raw", kind::flag, &AskedObject::raw, raw_says);
}

}  // namespace larder::api
