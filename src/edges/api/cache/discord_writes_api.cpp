// PUT and DELETE of objects that no event carries.
#include "edges/api/cache/cache_api.hpp"
#include "edges/api/cache/discord_kinds.hpp"

namespace larder::api {

namespace {

using cache::ObjectKind;

Answering put_object(CachePart& part, AskedObject asked, Request const& request) {
  CO_TRY_DO(co_await part.cache.put(std::move(asked.key), request.body));
  co_return no_content();
}

Answering delete_object(CachePart& part, AskedObject asked) {
  CO_TRY(bool const was_cached, co_await part.cache.remove(std::move(asked.key)));
  if (!was_cached) co_return refuse(cache::errors::not_cached, "the cache does not have this object");
  co_return no_content();
}

// The texts of one kind of object.
struct WriteRoutes {
  std::string_view path;
  std::string_view put_id;
  std::string_view put_summary;
  std::string_view delete_id;
  std::string_view delete_summary;
};

Route put_route(WriteRoutes const& texts, Schema<AskedObject> schema) {
  return {Method::put,
          texts.path,
          Scope::discord,
          handle(std::move(schema), &put_object),
          {.id = texts.put_id,
           .summary = texts.put_summary,
           .description = "The body is the object in the form of Discord's API.",
           .body_type = type::map(type::any),
           .status = 204,
           .refusals = {errors::invalid_request, cache::errors::not_kept, cache::errors::cache_full}}};
}

Route delete_route(WriteRoutes const& texts, Schema<AskedObject> schema) {
  return {Method::delete_,
          texts.path,
          Scope::discord,
          handle(std::move(schema), &delete_object),
          {.id = texts.delete_id,
           .summary = texts.delete_summary,
           .status = 204,
           .refusals = {cache::errors::not_cached}}};
}

std::vector<Route> make_write_routes() {
  std::vector<Route> routes;
  auto const add = [&](WriteRoutes const& texts, Schema<AskedObject> const& schema) {
    routes.push_back(put_route(texts, schema));
    routes.push_back(delete_route(texts, schema));
  };
  add({"/v1/discord/applications/{application_id}", "put_discord_application", "Stores an application",
       "delete_discord_application", "Removes an application from the cache"},
      asked_by_id(ObjectKind::application, "application_id", snowflake, "the application"));
  add({"/v1/discord/commands/{application_id}/{command_id}", "put_discord_command",
       "Stores a command of an application", "delete_discord_command",
       "Removes a command of an application from the cache"},
      asked_command());
  add({"/v1/discord/guilds/{guild_id}/welcome-screen", "put_discord_welcome_screen",
       "Stores the welcome screen of a guild", "delete_discord_welcome_screen",
       "Removes the welcome screen of a guild from the cache"},
      asked_of_guild(ObjectKind::welcome_screen));
  add({"/v1/discord/guilds/{guild_id}/widget", "put_discord_widget", "Stores the widget of a guild",
       "delete_discord_widget", "Removes the widget of a guild from the cache"},
      asked_of_guild(ObjectKind::widget));
  add({"/v1/discord/guilds/{guild_id}/{collection}/{id}", "put_discord_guild_object",
       "Stores a ban, a template or a webhook of a guild", "delete_discord_guild_object",
       "Removes a ban, a template or a webhook of a guild from the cache"},
      asked_in_guild(written_collections));
  add({"/v1/discord/webhooks/{webhook_id}", "put_discord_webhook", "Stores a webhook",
       "delete_discord_webhook", "Removes a webhook from the cache"},
      asked_by_id(ObjectKind::webhook, "webhook_id", snowflake, "the webhook"));
  return routes;
}

}  // namespace

std::span<Route const> discord_write_routes() {
  static std::vector<Route> const routes = make_write_routes();
  return routes;
}

}  // namespace larder::api
