#include "app/server_thread.hpp"

#include "app/server_checks.hpp"
#include "stores/redis/configured.hpp"
#include "stores/redis/writable.hpp"

#include <filesystem>

namespace larder {

namespace {

std::optional<limiter::Rule> rate_rule(Config const& config) {
  if (config.server.rate_tokens == 0) return std::nullopt;
  return limiter::Rule{.tokens = config.server.rate_tokens,
                       .seconds = config.server.rate_seconds,
                       .refill = limiter::Refill::continuous};
}

bool is_full(std::filesystem::path const& directory) {
  constexpr std::uintmax_t room_bytes_min = 64 * 1024;
  std::error_code code;
  auto const space = std::filesystem::space(directory, code);
  return !code && space.available < room_bytes_min;
}

// If the embedded Redis cannot write its file, it exits, and the server starts it again.
Task<std::string> problem_of_embedded(redis::Redis& redis, std::filesystem::path directory) {
  try {
    co_return co_await redis::problem_of_writes(redis);
  } catch (StoreError const&) {
    if (!is_full(directory)) throw;
  }
  co_return "its disk is full, so it dies of each write: make room";
}

http::ReadyCheck redis_check(redis::Redis& redis, Config const& config) {
  if (!redis::main_place(config).url.embedded)
    return {.name = "redis", .ask = [&redis] { return redis::problem_of_writes(redis); }};
  return {.name = "redis", .ask = [&redis, directory = std::filesystem::path(config.data)] {
            return problem_of_embedded(redis, directory);
          }};
}

Task<std::string> answers(sql::Database& sql) {
  co_await sql.ping();
  co_return "";
}

}  // namespace

ServerThread::ServerThread(IoLoop& loop, ThreadContext const& context, Systems const& systems)
    : loop_(loop),
      authenticator_(context.authenticator),
      redis_(loop.io, context.redis_options, context.metrics),
      idempotency_(redis_) {
  if (auto const rule = rate_rule(context.config)) rate_limit_.emplace(redis_, context.clock, *rule);
  auto& sql = context.sql;
  auto const operations = std::make_shared<http::Operations>(http::Operations{
      .metrics = context.metrics,
      .checks = {redis_check(redis_, context.config), {"sql", [&sql] { return answers(sql); }}},
      .log = context.ready_log,
      .shutting_down = context.shutting_down,
      .openapi = context.openapi});
  std::ranges::move(server_checks(context.config, context.clock, context.metrics),
                    std::back_inserter(operations->checks));
  parts_.emplace_back(operations);
  auto const views = std::make_shared<api::OperatorViews>();
  views->operations = operations;
  api::IoThread const thread{.io = loop.io,
                             .redis = redis_,
                             .authenticator = authenticator_,
                             .metrics = context.metrics,
                             .rate_limit = rate_limit_ ? &*rate_limit_ : nullptr,
                             .views = views};
  for (auto const& system : systems) {
    auto const& part = parts_.emplace_back(system->part(thread));
    std::ranges::move(system->checks(part), std::back_inserter(operations->checks));
    std::ranges::move(system->due_sets(thread, part), std::back_inserter(views->due_sets));
    if (auto search = system->search(thread, part); search.find) views->searches.push_back(std::move(search));
  }
}

http::HttpThread ServerThread::http() {
  return {.io = loop_.io,
          .parts = parts_,
          .authenticator = authenticator_,
          .idempotency = &idempotency_,
          .rate_limit = rate_limit_ ? &*rate_limit_ : nullptr};
}

std::vector<http::Api> apis_of(Systems const& systems) {
  std::vector<http::Api> apis{http::operations_api()};
  for (auto const& system : systems) apis.push_back(system->api());
  return apis;
}

}  // namespace larder
