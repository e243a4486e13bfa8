// Views: history, leaderboard, map, reports, hall of fame.
#include "base/number.hpp"
#include "edges/api/tribes/player_request.hpp"
#include "edges/api/tribes/tribes_api.hpp"
#include "edges/api/tribes/tribes_json.hpp"
#include "kit/events/event.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

struct HistoryQuery {
  tribes::WorldId world;
  tribes::Resource resource = tribes::Resource::coins;
  std::optional<TimeMs> from;
  std::optional<TimeMs> to;
  std::int64_t bucket_s = 3600;
};
struct BoardQuery {
  tribes::WorldId world;
  std::int64_t limit = 20;
  std::optional<UserId> around;
};
struct MapQuery {
  tribes::WorldId world;
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t radius = 10;
};
struct ReportsQuery {
  tribes::WorldId world;
  std::string before;
  std::int64_t limit = 0;
};
struct OneReport {
  tribes::WorldId world;
  std::string id;
};
struct FameQuery {
  std::optional<tribes::FamePlace> after;
  std::int64_t limit = 0;
};

constexpr std::int64_t radius_max = 50;

template <class T>
Schema<T> of_world() {
  return Schema<T>().path("world", world_kind, &T::world, world_says);
}

bool is_report_id(std::string const& text) {
  auto const dash = text.find('-');
  if (dash == std::string::npos) return false;
  auto const ms = parse_int(text.substr(0, dash)).value_or(-1);
  auto const sequence = parse_int(text.substr(dash + 1)).value_or(-1);
  return ms >= 0 && sequence >= 0 && ms + (sequence > 0 ? 1 : 0) > 0;  // Redis gives no entry the id 0-0
}

// A player sees the leaderboard and the map of a world after joining it; a service key needs no town.
Task<Result<void>> check_joined(TribesPart& part, tribes::WorldId const& world, Request const& request) {
  if (request.caller->player_id.empty()) co_return Result<void>();
  CO_TRY(auto const opened, co_await part.tribes.open(world));
  co_return co_await part.tribes.check_joined(*opened, UserId::from(request.caller->player_id).value());
}

Answering get_history(TribesPart& part, HistoryQuery asked, Request const& request) {
  auto const now = part.tribes.clock().now();
  auto const to = asked.to.value_or(now);
  auto const from = asked.from.value_or(to + -day_ms);
  if (from > to) co_return invalid("from", "from must not be after to");
  series::Query const query{.from = from, .to = to, .stretch_ms = asked.bucket_s * 1000};
  CO_TRY(auto const points,
         co_await for_player(
             part, request,
             part.tribes.history(std::move(asked.world), player_of(request), asked.resource, query)));
  json::array items;
  for (auto const& point : points) items.push_back(to_json(point));
  co_return json_response({{"points", std::move(items)}});
}

Answering get_board(TribesPart& part, BoardQuery asked, Request const& request) {
  CO_TRY_DO(co_await check_joined(part, asked.world, request));
  auto const around = asked.around;
  auto ranked =
      co_await part.tribes.leaderboard(std::move(asked.world), asked.limit, std::move(asked.around));
  if (!ranked) {
    auto error = std::move(ranked.error());
    bool const unknown = error.code == tribes::errors::not_joined && !co_await part.accounts.find(*around);
    if (unknown) error = no_account("around");
    co_return std::unexpected(std::move(error));
  }
  json::array items;
  for (auto const& each : *ranked) items.push_back(to_json(each));
  co_return json_response({{"items", std::move(items)}});
}

Answering get_map(TribesPart& part, MapQuery asked, Request const& request) {
  CO_TRY_DO(co_await check_joined(part, asked.world, request));
  CO_TRY(auto const towns,
         co_await part.tribes.towns_around(std::move(asked.world), {.x = int(asked.x), .y = int(asked.y)},
                                           int(asked.radius)));
  json::array items;
  for (auto const& town : towns) items.push_back(to_json(town));
  co_return json_response({{"towns", std::move(items)}});
}

Answering get_reports(TribesPart& part, ReportsQuery asked, Request const& request) {
  CO_TRY(auto const world, co_await part.tribes.open(asked.world));
  CO_TRY(auto const reports,
         co_await for_player(part, request,
                             part.tribes.reports(std::move(asked.world), player_of(request),
                                                 std::move(asked.before), asked.limit)));
  std::vector<std::string> others;
  for (auto const& report : reports) others.emplace_back(report.data.at("other").as_string());
  auto const citizens = co_await part.tribes.citizens(*world, others);
  std::vector<std::pair<tribes::Report, std::string>> named;
  for (std::size_t i = 0; i < reports.size(); ++i) named.emplace_back(reports[i], citizens[i].username);
  co_return page_response(
      named, asked.limit, [](auto const& each) { return to_json(each.first, each.second); },
      [](auto const& each) { return each.first.id; });
}

Answering post_read(TribesPart& part, OneReport asked, Request const& request) {
  if (!is_report_id(asked.id))
    co_return refuse(tribes::errors::report_not_found, "there is no report with this id");
  CO_TRY_DO(co_await for_player(
      part, request, part.tribes.mark_read(std::move(asked.world), player_of(request), std::move(asked.id))));
  co_return no_content();
}

Answering get_fame(TribesPart& part, FameQuery asked) {
  auto const fame = co_await part.tribes.hall_of_fame(std::move(asked.after), asked.limit);
  co_return page_response(
      fame, asked.limit, [](tribes::Fame const& each) { return to_json(each); },
      [](tribes::Fame const& each) { return fmt::format("{}.{}", each.won_at.value, each.world.str()); });
}

Schema<HistoryQuery> history_query() {
  static constexpr std::array<std::string_view, 2> resources = {"coins", "pizzas"};
  return of_world<HistoryQuery>()
      .optional_query("resource", kind::choice<tribes::Resource>(resources), &HistoryQuery::resource,
                      "coins if absent")
      .optional_query("from", kind::time, &HistoryQuery::from, "a day before `to` if absent")
      .optional_query("to", kind::time, &HistoryQuery::to, "now if absent")
      .optional_query("bucket", kind::integer(1, 7 * 86'400), &HistoryQuery::bucket_s,
                      "seconds in one point; 3600 if absent");
}

}  // namespace

std::span<Route const> tribes_view_routes() {
  namespace errors = tribes::errors;
  static std::vector<ErrorCode> const of_town = {errors::world_not_found, errors::world_needs_name,
                                                 errors::not_joined, larder::errors::account_not_found};
  static Route const routes[] = {
      {Method::get,
       "/v1/tribes/worlds/{world}/history",
       Access::player(),
       handle(history_query(), &get_history),
       {.id = "get_history",
        .summary = "Shows how the player's coins or pizzas changed, for the last week",
        .answer = {required("points", type::array(type::object(point_fields()).named("Point")),
                            "oldest first; times without an update are left out")},
        .refusals = of_town}},
      {Method::get,
       "/v1/tribes/worlds/{world}/leaderboard",
       Access::player_or(Scope::tribes),
       handle(of_world<BoardQuery>()
                  .optional_query("limit", kind::integer(1, limits::page_max), &BoardQuery::limit,
                                  "how many players; 20 if absent")
                  .optional_query("around", kind::user_id, &BoardQuery::around,
                                  "with this player in the middle"),
              &get_board),
       {.id = "get_tribes_leaderboard",
        .summary = "Lists the players of a world by their coins",
        .answer = {required("items", type::array(type::object(ranked_fields()).named("RankedTown")),
                            "the richest first")},
        .refusals = of_town}},
      {Method::get,
       "/v1/tribes/worlds/{world}/map",
       Access::player_or(Scope::tribes),
       handle(
           of_world<MapQuery>()
               .query("x", kind::integer(0, tribes::coordinate_max), &MapQuery::x, "the field in the middle")
               .query("y", kind::integer(0, tribes::coordinate_max), &MapQuery::y, "the field in the middle")
               .optional_query("radius", kind::integer(0, radius_max), &MapQuery::radius,
                               "how many fields in each direction; 10 if absent"),
           &get_map),
       {.id = "get_map",
        .summary = "Lists the towns around a field",
        .answer = {required("towns", type::array(type::object(map_fields()).named("MapTown")),
                            "by x, then by y")},
        .refusals = {errors::world_not_found, errors::world_needs_name, errors::not_joined}}},
      {Method::get,
       "/v1/tribes/worlds/{world}/reports",
       Access::player(),
       handle(of_world<ReportsQuery>().page(&ReportsQuery::limit,
                                            [](std::string const& cursor, ReportsQuery& out) {
                                              out.before = cursor;
                                              return is_report_id(cursor);
                                            }),
              &get_reports),
       {.id = "list_reports",
        .summary = "Lists the player's reports of heists, newest first, for 30 days",
        .answer = report_fields(),
        .answer_name = "HeistReport",
        .refusals = of_town}},
      {Method::post,
       "/v1/tribes/worlds/{world}/reports/{id}/read",
       Access::player(),
       handle(of_world<OneReport>().path("id", kind::text(1, 64), &OneReport::id, "the report"), &post_read),
       {.id = "read_report",
        .summary = "Marks a report as read",
        .status = 204,
        .refusals = {errors::world_not_found, errors::world_needs_name, errors::not_joined,
                     errors::report_not_found, larder::errors::account_not_found}}},
      {Method::get,
       "/v1/tribes/hall-of-fame",
       Access::player_or(Scope::tribes),
       handle(Schema<FameQuery>().page(&FameQuery::limit,
                                       [](std::string const& cursor, FameQuery& out) {
                                         auto const dot = cursor.find('.');
                                         auto const ms = parse_int(std::string_view(cursor).substr(0, dot));
                                         if (!ms || dot == std::string::npos) return false;
                                         out.after = {.won_at = {*ms}, .world = cursor.substr(dot + 1)};
                                         return true;
                                       }),
              &get_fame),
       {.id = "list_fame",
        .summary = "Lists who won which world, newest first",
        .answer = fame_fields(),
        .answer_name = "Fame"}},
  };
  return routes;
}

}  // namespace larder::api
