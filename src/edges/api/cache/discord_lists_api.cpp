// GET of many objects, page by page.
#include "edges/api/cache/cache_api.hpp"
#include "edges/api/cache/discord_kinds.hpp"

namespace larder::api {

namespace {

using cache::CollectionKind;

struct AskedList {
  cache::Collection collection;
  GuildCollection const* of_guild = nullptr;
  cache::PageQuery page;
  bool raw = false;
};

std::string& parent_of_list(AskedList& asked) { return asked.collection.parent; }

// A page of the cache has `limit` objects, not one more.
Schema<AskedList> paged(Schema<AskedList> schema) {
  return std::move(schema)
      .optional_query("raw", kind::flag, &AskedList::raw, raw_says)
      .page([](AskedList& asked) -> auto& { return asked.page.limit; },
            [](std::string const& cursor, AskedList& asked) {
              asked.page.cursor = cursor;
              return true;
            })
      .also([](RequestReader&, AskedList& asked) { --asked.page.limit; });
}

Schema<AskedList> asked_list(CollectionKind kind) {
  return Schema<AskedList>().also([kind](RequestReader&, AskedList& out) { out.collection.kind = kind; });
}

Schema<AskedList> list_of(CollectionKind kind, std::string_view name, std::string_view description) {
  return asked_list(kind).path(name, snowflake, &parent_of_list, description);
}

Schema<AskedList> list_in_guild() {
  return Schema<AskedList>()
      .path("guild_id", snowflake, &parent_of_list, "the guild")
      .path("collection", CollectionName{guild_collections}, &AskedList::of_guild, "what kind of objects")
      .also([](RequestReader&, AskedList& out) { out.collection.kind = out.of_guild->list; });
}

Schema<AskedList> users_of_reaction() {
  return list_of(CollectionKind::users_of_reaction, "message_id", "the message")
      .path(
          "emoji", emoji_name, [](AskedList& asked) -> auto& { return asked.collection.emoji; },
          "the id of a custom emoji, or the name of another one");
}

Answering get_list(CachePart& part, AskedList asked) {
  CO_TRY(auto const page, co_await part.cache.list(std::move(asked.collection), std::move(asked.page),
                                                   asked.raw ? cache::Form::raw : cache::Form::whole));
  Response response{.body = R"({"items":[)"};
  for (auto const& item : page.items) {
    if (&item != &page.items.front()) response.body += ',';
    response.body += item;
  }
  response.body += R"(],"next_cursor":)";
  if (page.next_cursor) {
    append_json_string(response.body, *page.next_cursor);
  } else {
    response.body += "null";
  }
  response.body += '}';
  co_return response;
}

Route list_route(std::string_view path, Schema<AskedList> schema, std::string_view id,
                 std::string_view summary) {
  return {Method::get,
          path,
          Scope::discord,
          handle(paged(std::move(schema)), &get_list),
          {.id = id, .summary = summary, .answer_type = type::map(type::any)}};
}

Route reactions_route() {
  auto route =
      list_route("/v1/discord/messages/{message_id}/reactions",
                 list_of(CollectionKind::reactions_of_message, "message_id", "the message"),
                 "list_discord_reactions", "Lists the emojis with which users have reacted to a message");
  route.doc.answer_type = type::object(
      {required("emoji",
                type::object({required("id", type::text().or_null(), "the id of a custom emoji"),
                              required("name", type::text().or_null(), "the name; null: unknown")}),
                "the emoji"),
       required("count", type::integer(0), "how many users have reacted with it")});
  return route;
}

}  // namespace

std::span<Route const> discord_list_routes() {
  static Route const routes[] = {
      list_route("/v1/discord/guilds", asked_list(CollectionKind::guilds), "list_discord_guilds",
                 "Lists the guilds of the bot"),
      list_route("/v1/discord/guilds/{guild_id}/{collection}", list_in_guild(), "list_discord_guild_objects",
                 "Lists the objects of a guild, such as its members or roles"),
      list_route("/v1/discord/users/{user_id}/guilds",
                 list_of(CollectionKind::guilds_of_user, "user_id", "the user"), "list_discord_user_guilds",
                 "Lists the guilds that a user shares with the bot"),
      list_route("/v1/discord/channels/{channel_id}/messages",
                 list_of(CollectionKind::messages_of_channel, "channel_id", "the channel or thread"),
                 "list_discord_channel_messages",
                 "Lists the messages of a channel or a thread, newest first"),
      list_route("/v1/discord/threads/{thread_id}/members",
                 list_of(CollectionKind::members_of_thread, "thread_id", "the thread"),
                 "list_discord_thread_members", "Lists the members of a thread"),
      reactions_route(),
      list_route("/v1/discord/messages/{message_id}/reactions/{emoji}", users_of_reaction(),
                 "list_discord_reaction_users", "Lists the users who have reacted with an emoji"),
      list_route("/v1/discord/commands/{application_id}",
                 list_of(CollectionKind::commands, "application_id", "the application"),
                 "list_discord_commands", "Lists the commands of an application"),
  };
  return routes;
}

}  // namespace larder::api
