#include "edges/api/web/web_system.hpp"

#include "edges/http/schema.hpp"
#include "edges/http/static_files.hpp"
#include "web_pages_files.hpp"

namespace larder::api {

using namespace http;

namespace {

// The pages load only what this server sends, contain no inline script or style, and are in no frame.
constexpr std::string_view page_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

Result<Response> embedded(std::string_view name, Request const& request) {
  static StaticFiles const files(files::web_pages(), {.hashed = "assets/"});
  auto found = files.answer(name, request);
  if (!found) return found;
  found->headers.emplace_back("Content-Security-Policy", page_policy);
  found->headers.emplace_back("Referrer-Policy", "no-referrer");
  return found;
}

Answering get_start(Request const& request) { co_return embedded("index.html", request); }
Answering get_play(Request const& request) { co_return embedded("play.html", request); }
Answering get_icon(Request const& request) { co_return embedded("icon.svg", request); }
Answering get_asset(Request const& request) {
  co_return embedded("assets/" + request.parameter("path"), request);
}

std::span<Route const> web_routes() {
  static Route const routes[] = {
      {Method::get,
       "/",
       Access::everyone(),
       &get_start,
       {.id = "get_start_page", .summary = "Shows the start page", .media = "text/html"}},
      {Method::get,
       "/play",
       Access::everyone(),
       &get_play,
       {.id = "get_game_page", .summary = "Shows the game of tribes", .media = "text/html"}},
      {Method::get,
       "/icon.svg",
       Access::everyone(),
       &get_icon,
       {.id = "get_icon", .summary = "Shows the icon of the web pages", .media = "image/svg+xml"}},
      {Method::get,
       "/assets/{path...}",
       Access::everyone(),
       &get_asset,
       {.id = "get_asset",
        .summary = "Sends a script or style sheet of the web pages",
        .description = "The names contain a hash of the content, so browsers keep these files for good.",
        .media = "text/javascript"}},
  };
  return routes;
}

}  // namespace

Api WebSystem::api() const {
  return {.tables = {web_routes()}, .path_words = {required("path", type::text(), "the name of the file")}};
}

}  // namespace larder::api
