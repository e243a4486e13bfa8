// The last hour of this server in numbers, and its health in words.
#include "edges/api/admin/admin_api.hpp"

#include <fmt/format.h>

#include <cmath>

namespace larder::api {

namespace {

constexpr std::int64_t minutes_max = 60;
static_assert(StatRings::kept * StatRings::every.count() == minutes_max * 60);

struct StatsQuery {
  std::int64_t minutes = minutes_max;
};

// Six digits are enough for a plot. Whole numbers, such as bytes, stay exact.
void append_number(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "null";
  } else if (std::abs(value) < 1e15 && value == std::floor(value)) {
    fmt::format_to(std::back_inserter(out), "{}", std::int64_t(value));
  } else {
    fmt::format_to(std::back_inserter(out), "{:.6g}", value);
  }
}

std::string to_text(StatRings::Window const& window) {
  std::string out = "{";
  for (std::size_t series = 0; series < stat_series.size(); ++series) {
    fmt::format_to(std::back_inserter(out), "{}\"{}\":[", series == 0 ? "" : ",", stat_series[series].name);
    for (std::size_t i = 0; i < window.samples.size(); ++i) {
      if (i > 0) out += ',';
      append_number(out, window.samples[i][series]);
    }
    out += ']';
  }
  return out + '}';
}

Answering get_stats(AdminDesk& desk, StatsQuery query) {
  auto const health = co_await ask_health(*desk.operators.views->operations);
  auto const window = desk.operators.rings.newest(query.minutes * 60 / StatRings::every.count());
  json::object const words{{"status", health.status()}, {"problems", health.problems}};
  auto const until = window.samples.empty() ? "null" : fmt::format("\"{}\"", to_rfc3339(window.until));
  co_return Response{.body =
                         fmt::format(R"({{"until":{},"every_s":{},"samples":{},"series":{},"health":{}}})",
                                     until, StatRings::every.count(), window.samples.size(), to_text(window),
                                     json::serialize(words))};
}

std::vector<Field> stats_fields() {
  std::vector<Field> series;
  for (auto const& [name, says] : stat_series)
    series.push_back(required(name, type::array(type::number.or_null()), says));
  return {
      required("until", type::time.or_null(), "when the newest sample was taken; null: there is none yet"),
      required("every_s", type::integer(1), "the seconds between two samples"),
      required("samples", type::integer(0, StatRings::kept), "the length of each series"),
      required("series", type::object(std::move(series)).named("StatSeries"),
               "oldest first; null: not measured, because Redis did not answer, for example"),
      required("health",
               type::object({required("status", type::choice({"ok", "degraded", "failing"}),
                                      "degraded: the server does its work, but a person must look at "
                                      "something; failing: it cannot do its work"),
                             required("problems", type::map(type::text()),
                                      "for each check of /readyz that did not pass: what is wrong, and "
                                      "what to do")})
                   .named("ServerHealth"),
               "what /readyz?verbose says")};
}

}  // namespace

std::span<Route const> admin_stats_routes() {
  static Route const routes[] = {
      {Method::get,
       "/v1/admin/stats",
       Scope::admin,
       handle(Schema<StatsQuery>().optional_query("minutes", kind::integer(1, minutes_max),
                                                  &StatsQuery::minutes, "how far back; 60 if absent"),
              &get_stats),
       {.id = "get_stats",
        .summary = "Shows the last hour of this server in numbers, and its health in words",
        .description = "Each server keeps its own samples in memory, and a new server has none. Also answers "
                       "while Redis or SQL is unavailable.",
        .answer = stats_fields(),
        .answer_name = "ServerStats"}},
  };
  return routes;
}

}  // namespace larder::api
