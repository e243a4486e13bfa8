#include "edges/http/operation_routes.hpp"

#include "base/log.hpp"
#include "edges/http/docs_page.hpp"
#include "edges/http/problem.hpp"
#include "edges/http/schema.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>

namespace larder::http {

namespace {

constexpr ErrorCode not_ready{ErrorKind::unavailable, "not_ready"};

Answering get_alive(Request const&) { co_return json_response({{"status", "ok"}}); }

struct Asked {
  Timer time;
  bool answered = false;
  // In words for everyone; empty: no problem.
  std::string wrong = "it does not answer in time: see whether it hangs, or has too much to do";
  std::string why = {};  // for the log only
};

Task<void> answer(ReadyCheck const& check, std::shared_ptr<Asked> asked) {
  try {
    asked->wrong = co_await check.ask();
  } catch (std::exception const& error) {
    asked->wrong = "it does not answer: see whether it runs; the log of the server says more";
    asked->why = error.what();
  }
  asked->answered = true;
  asked->time.cancel();
}

// What is wrong; empty: nothing. If the answer comes too late, it is ignored.
Task<std::string> problem_of(ReadyCheck const& check, ReadyLog& log) {
  auto const executor = co_await asio::this_coro::executor;
  auto const asked = std::make_shared<Asked>(Timer(executor));
  asked->time.expires_after(std::chrono::milliseconds(limits::ready_check_ms));
  asio::co_spawn(executor, answer(check, asked), asio::detached);
  boost::system::error_code answered;
  if (!asked->answered) co_await asked->time.async_wait(asio::redirect_error(use_task, answered));
  log.note(check, asked->why.empty() ? asked->wrong : asked->why);
  co_return asked->wrong;
}

struct ReadyQuery {
  bool verbose = false;
};

Answering get_ready(Operations& operations, ReadyQuery query) {
  auto const health = co_await ask_health(operations);
  json::object more;
  if (query.verbose) {
    more["checks"] = health.checks;
    if (!health.problems.empty()) more["problems"] = health.problems;
  }
  if (!health.ready) {
    Error error{.code = not_ready, .detail = "the server cannot do its work now"};
    if (!query.verbose) error.detail += "; ?verbose says why";
    error.more = std::move(more);
    co_return std::unexpected(std::move(error));
  }
  json::object body{{"status", health.status()}};
  for (auto const& member : more) body.insert(member);
  co_return json_response(body);
}

Answering get_metrics(Operations& operations, Request const&) {
  co_return Response{.content_type = "text/plain; version=0.0.4; charset=utf-8",
                     .body = operations.metrics.text()};
}

Answering get_openapi(Operations& operations, Request const&) {
  co_return Response{.fixed_body = operations.openapi.plain, .fixed_gzip = operations.openapi.gzip};
}

Answering get_docs(Request const&) { co_return docs_page(); }

}  // namespace

namespace {

std::span<Route const> operation_routes() {
  static std::vector<Field> const alive = {required("status", type::choice({"ok"}), "the process answers")};
  static Route const routes[] = {
      {Method::get,
       "/livez",
       Access::everyone(),
       &get_alive,
       {.id = "get_livez", .summary = "Says whether the process is alive; asks no store", .answer = alive}},
      {Method::get,
       "/healthz",
       Access::everyone(),
       &get_alive,
       {.id = "get_healthz", .summary = "Says the same as /livez", .answer = alive}},
      {Method::get,
       "/readyz",
       Access::everyone(),
       handle(Schema<ReadyQuery>().optional_query("verbose", kind::flag, &ReadyQuery::verbose,
                                                  "adds the result of each check"),
              &get_ready),
       {.id = "get_readyz",
        .summary =
            "Says whether the server can work: Redis takes writes, SQL answers, the clock is right, no "
            "event or schedule waits for too long, and the server is not shutting down",
        .answer = {required("status", type::choice({"ok", "degraded"}),
                            "degraded: the server does its work, but a person must look at something"),
                   optional("checks", type::map(type::text()), "the result of each check, by name"),
                   optional("problems", type::map(type::text()),
                            "for each check that did not pass: what is wrong, and what to do")},
        .refusals = {not_ready}}},
      {Method::get,
       "/metrics",
       Access::loopback(),
       &get_metrics,
       {.id = "get_metrics", .summary = "Shows the metrics, for Prometheus", .media = "text/plain"}},
      {Method::get,
       "/openapi.json",
       Access::everyone(),
       &get_openapi,
       {.id = "get_openapi", .summary = "Shows this document", .answer_type = type::map(type::any)}},
      {Method::get,
       "/docs",
       Access::everyone(),
       &get_docs,
       {.id = "get_docs", .summary = "Shows this document as a web page", .media = "text/html"}},
  };
  return routes;
}

}  // namespace

Task<Health> ask_health(Operations& operations) {
  Health health;
  health.ready = !operations.shutting_down.load();
  health.checks["server"] = health.ready ? "ok" : "shutting_down";
  for (auto const& check : operations.checks) {
    auto const problem = co_await problem_of(check, operations.log);
    health.ready = health.ready && (problem.empty() || check.only_degrades);
    health.checks[check.name] = problem.empty() ? "ok" : check.only_degrades ? "degraded" : "failed";
    if (!problem.empty()) health.problems[check.name] = problem;
  }
  co_return health;
}

void ReadyLog::note(ReadyCheck const& check, std::string const& why) {
  {
    std::scoped_lock const lock(mutex_);
    if (why.empty() ? failing_.erase(check.name) == 0 : !failing_.insert(check.name).second) return;
  }
  if (why.empty()) return log::info("ready again", {{"check", check.name}});
  log::warn(check.only_degrades ? "degraded" : "not ready", {{"check", check.name}, {"error", why}});
}

Api operations_api() {
  return {.tables = {operation_routes()},
          .problem_members = {optional("checks", type::map(type::text()),
                                       "not_ready, with ?verbose: the result of each check, by name"),
                              optional("problems", type::map(type::text()),
                                       "not_ready, with ?verbose: for each check that did not pass, what is "
                                       "wrong and what to do")},
          .tags = {{"operation", "Whether the server is well, its metrics, and this document"}}};
}

}  // namespace larder::http
