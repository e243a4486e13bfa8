// Finds what has an id or a name, in every system.
#include "base/log.hpp"
#include "base/when_all.hpp"
#include "edges/api/admin/admin_api.hpp"

namespace larder::api {

namespace {

struct SearchQuery {
  std::string text;
};

struct SearchResult {
  std::string_view system;
  std::vector<SearchHit> hits = {};
  bool answered = true;
};

// A system whose store is away must not hide what the others have.
Task<SearchResult> search_in(SearchOf const& search, std::string text) {
  SearchResult result{.system = search.system};
  try {
    result.hits = co_await search.find(std::move(text));
  } catch (StoreError const& error) {
    log::warn("a system was not searched", {{"system", search.system}, {"why", error.what()}});
    result.answered = false;
  }
  co_return result;
}

json::value text_or_absent(std::optional<std::string> const& text) {
  return text ? json::value(*text) : json::value();
}

json::object to_json(std::string_view system, SearchHit const& hit) {
  json::object out{
      {"system", system}, {"kind", hit.kind}, {"id", hit.id}, {"name", text_or_absent(hit.name)}};
  if (hit.realm) out["realm"] = *hit.realm;
  if (hit.world) out["world"] = *hit.world;
  out["path"] = text_or_absent(hit.path);
  return out;
}

Answering get_search(AdminDesk& desk, SearchQuery query) {
  std::vector<Task<SearchResult>> asked;
  for (auto const& search : desk.operators.views->searches) asked.push_back(search_in(search, query.text));
  json::array items;
  json::array unavailable;
  for (auto const& result : co_await when_all(std::move(asked))) {
    for (auto const& hit : result.hits) items.push_back(to_json(result.system, hit));
    if (!result.answered) unavailable.emplace_back(result.system);
  }
  co_return json_response({{"items", std::move(items)}, {"unavailable", std::move(unavailable)}});
}

std::vector<Field> hit_fields() {
  return {required("system", type::text(), "the system that has it, such as ledger"),
          required("kind", type::choice({"user", "player", "order", "guild", "channel", "message"}),
                   "what it is"),
          required("id", type::text(), "its id"),
          required("name", type::text().or_null(), "its name, if the system knows one"),
          optional("realm", type::text(), "of a player of the economy"),
          optional("world", type::text(), "of a player of tribes"),
          required("path", type::text().or_null(), "the route that shows it; null: no route does")};
}

}  // namespace

std::span<Route const> admin_search_routes() {
  static Route const routes[] = {
      {Method::get,
       "/v1/admin/search",
       Scope::admin,
       handle(Schema<SearchQuery>().query("q", kind::text(1, limits::search_chars_max), &SearchQuery::text,
                                          "an id, or the beginning of a name"),
              &get_search),
       {.id = "search",
        .summary = "Finds users, players, orders, guilds, channels and messages by id, and users and players "
                   "by the beginning of their name",
        .description = "The case of letters does not matter; in the names of players of the economy, the "
                       "case of A to Z. At "
                       "most 20 hits of each kind from each system, and at most 100 worlds are searched. "
                       "What was written in "
                       "the last seconds may be missing.",
        .answer = {required("items", type::array(type::object(hit_fields()).named("SearchHit")),
                            "what was found, by system"),
                   required("unavailable", type::array(type::text()),
                            "systems that could not be searched, because a store does not answer")}}},
  };
  return routes;
}

}  // namespace larder::api
