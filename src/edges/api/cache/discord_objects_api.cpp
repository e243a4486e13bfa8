// GET of one object.
#include "edges/api/cache/cache_api.hpp"
#include "edges/api/cache/discord_kinds.hpp"

namespace larder::api {

namespace {

using cache::ObjectKind;

Answering get_object(CachePart& part, AskedObject asked) {
  auto object = co_await part.cache.get(asked.key, asked.form());
  if (!object) co_return refuse(cache::errors::not_cached, "the cache does not have this object");
  co_return Response{.body = std::move(*object)};
}

Route object_route(std::string_view path, Schema<AskedObject> schema, std::string_view id,
                   std::string_view summary) {
  return {Method::get,
          path,
          Scope::discord,
          handle(or_raw(std::move(schema)), &get_object),
          {.id = id,
           .summary = summary,
           .answer_type = type::map(type::any),
           .refusals = {cache::errors::not_cached}}};
}

}  // namespace

std::span<Route const> discord_object_routes() {
  static Route const routes[] = {
      object_route("/v1/discord/guilds/{guild_id}",
                   asked_by_id(ObjectKind::guild, "guild_id", snowflake, "the guild"), "get_discord_guild",
                   "Shows a guild"),
      object_route("/v1/discord/guilds/{guild_id}/welcome-screen", asked_of_guild(ObjectKind::welcome_screen),
                   "get_discord_welcome_screen", "Shows the welcome screen of a guild"),
      object_route("/v1/discord/guilds/{guild_id}/widget", asked_of_guild(ObjectKind::widget),
                   "get_discord_widget", "Shows the widget of a guild"),
      object_route("/v1/discord/guilds/{guild_id}/{collection}/{id}", asked_in_guild(guild_collections),
                   "get_discord_guild_object", "Shows an object of a guild, such as a member or a role"),
      object_route("/v1/discord/users/{user_id}",
                   asked_by_id(ObjectKind::user, "user_id", snowflake, "the user"), "get_discord_user",
                   "Shows a user"),
      object_route("/v1/discord/channels/{channel_id}",
                   asked_by_id(ObjectKind::channel, "channel_id", snowflake, "the channel"),
                   "get_discord_channel", "Shows a channel of any guild, or of direct messages"),
      object_route("/v1/discord/threads/{thread_id}",
                   asked_by_id(ObjectKind::thread, "thread_id", snowflake, "the thread"),
                   "get_discord_thread", "Shows a thread"),
      object_route("/v1/discord/threads/{thread_id}/members/{user_id}", asked_thread_member(),
                   "get_discord_thread_member", "Shows a member of a thread"),
      object_route("/v1/discord/messages/{message_id}",
                   asked_by_id(ObjectKind::message, "message_id", snowflake, "the message"),
                   "get_discord_message", "Shows a message"),
      object_route("/v1/discord/invites/{code}",
                   asked_by_id(ObjectKind::invite, "code", discord_code, "the code of the invite"),
                   "get_discord_invite", "Shows an invite"),
      object_route("/v1/discord/webhooks/{webhook_id}",
                   asked_by_id(ObjectKind::webhook, "webhook_id", snowflake, "the webhook"),
                   "get_discord_webhook", "Shows a webhook"),
      object_route("/v1/discord/interactions/{interaction_id}",
                   asked_by_id(ObjectKind::interaction, "interaction_id", snowflake, "the interaction"),
                   "get_discord_interaction", "Shows an interaction, without its token"),
      object_route("/v1/discord/applications/{application_id}",
                   asked_by_id(ObjectKind::application, "application_id", snowflake, "the application"),
                   "get_discord_application", "Shows an application"),
      object_route("/v1/discord/commands/{application_id}/{command_id}", asked_command(),
                   "get_discord_command", "Shows a command of an application"),
  };
  return routes;
}

}  // namespace larder::api
