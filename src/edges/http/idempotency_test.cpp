#include "edges/http/idempotency.hpp"

#include "base/metrics.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

namespace larder::http {

namespace {

constexpr int running_ms = 3000;

Request request_for(std::string path, std::string_view key, std::string body = "{}") {
  Request request;
  request.method = Method::post;
  request.path = std::move(path);
  request.body = std::move(body);
  request.headers.add(idempotency_header, key);
  request.caller = accounts::Caller{.id = "k1", .name = "bot", .player_id = {}, .scopes = {Scope::economy}};
  return request;
}

Request request_of_player(std::string path, std::string_view key) {
  auto request = request_for(std::move(path), key);
  request.caller = accounts::Caller{.id = "p1", .name = "ann", .player_id = "p1", .scopes = {}};
  request.player = "p1";
  return request;
}

class IdempotencyTest : public testing::Test {
 protected:
  larder::test::RedisServer server;
  asio::io_context io;
  Metrics metrics;
  redis::Redis redis{io, {.url = redis::parse_url(server.url()), .tls_ca = {}}, metrics};
  Idempotency idempotency{redis, running_ms};
  Part const part;
  int runs = 0;

  // A route that counts its runs. `keeps_key`: its script would keep the answers.
  Route route(bool keeps_key, std::function<Answering()> work = {}) {
    auto call = [this, work](Part const&, Request const&) -> Answering {
      ++runs;
      if (work) co_return co_await work();
      co_return json_response({{"run", runs}});
    };
    return {Method::post,
            "/v1/things/{id}",
            Scope::economy,
            Handler(call, {}),
            {.id = "post_thing", .summary = "Makes a thing", .keeps_key = keeps_key}};
  }
  // The body of the answer, or the name of the refusal.
  std::string ask(Route const& asked, Request const& request) {
    auto const answer = larder::test::run(io, idempotency.answer(asked, part, request));
    return answer ? answer->body : std::string(answer.error().code.name);
  }
  std::string keys() const { return server.cli({"KEYS", "*"}); }
};

TEST_F(IdempotencyTest, a_key_belongs_to_one_path_even_if_scripts_keep_the_answers) {
  auto const kept_by_script = route(true);
  EXPECT_EQ(ask(kept_by_script, request_for("/v1/things/a", "key")), R"({"run":1})");
  EXPECT_EQ(ask(kept_by_script, request_for("/v1/things/b", "key")), "idempotency_conflict");
  EXPECT_EQ(runs, 1);
  // It is for the script to find its first answer, or to see that the body is another one.
  EXPECT_EQ(ask(kept_by_script, request_for("/v1/things/a", "key")), R"({"run":2})");
  EXPECT_EQ(ask(kept_by_script, request_for("/v1/things/b", "another-key")), R"({"run":3})");
}

TEST_F(IdempotencyTest, a_key_is_one_key_whoever_keeps_the_answers) {
  EXPECT_EQ(ask(route(false), request_for("/v1/things/a", "first")), R"({"run":1})");
  EXPECT_EQ(ask(route(true), request_for("/v1/things/b", "first")), "idempotency_conflict");
  EXPECT_EQ(ask(route(true), request_for("/v1/things/b", "second")), R"({"run":2})");
  EXPECT_EQ(ask(route(false), request_for("/v1/things/a", "second")), "idempotency_conflict");
  EXPECT_EQ(ask(route(false), request_for("/v1/things/a", "first")), R"({"run":1})");
  EXPECT_EQ(runs, 2);
}

TEST_F(IdempotencyTest, the_keys_of_two_callers_have_nothing_to_do_with_each_other) {
  EXPECT_EQ(ask(route(true), request_for("/v1/things/a", "key")), R"({"run":1})");
  EXPECT_EQ(ask(route(true), request_of_player("/v1/things/b", "key")), R"({"run":2})");
}

TEST_F(IdempotencyTest, a_key_belongs_to_the_player_for_whom_a_bot_acts) {
  EXPECT_EQ(ask(route(true), request_of_player("/v1/things/a", "key")), R"({"run":1})");
  auto by_bot = request_for("/v1/things/b", "key");
  by_bot.player = "p1";
  EXPECT_EQ(ask(route(true), by_bot), "idempotency_conflict");
  by_bot.player = "p2";
  EXPECT_EQ(ask(route(true), by_bot), R"({"run":2})");
}

TEST_F(IdempotencyTest, a_refusal_that_no_script_has_kept_leaves_the_key_unused) {
  auto const refusing = route(true, []() -> Answering { co_return refuse(errors::forbidden, "no"); });
  EXPECT_EQ(ask(refusing, request_for("/v1/things/a", "key")), "forbidden");
  EXPECT_EQ(keys(), "");
  EXPECT_EQ(ask(route(true), request_for("/v1/things/b", "key")), R"({"run":2})");
  EXPECT_EQ(ask(refusing, request_for("/v1/things/b", "key")), "forbidden");  // such as another body
  EXPECT_EQ(ask(route(true), request_for("/v1/things/a", "key")), "idempotency_conflict");
}

TEST_F(IdempotencyTest, a_refusal_that_a_script_has_kept_uses_the_key) {
  auto const refusing = route(true, []() -> Answering {
    co_return std::unexpected(Error{.code = errors::forbidden, .detail = "no", .kept = true});
  });
  EXPECT_EQ(ask(refusing, request_for("/v1/things/a", "key")), "forbidden");
  EXPECT_EQ(ask(route(true), request_for("/v1/things/b", "key")), "idempotency_conflict");
}

TEST_F(IdempotencyTest, a_failure_keeps_the_note) {
  auto const failing = route(true, []() -> Answering {
    throw StoreError("redis is away", true);
    co_return no_content();
  });
  EXPECT_THROW(ask(failing, request_of_player("/v1/things/a", "key")), StoreError);
  EXPECT_EQ(ask(route(true), request_of_player("/v1/things/b", "key")), "idempotency_conflict");
  EXPECT_EQ(ask(route(true), request_of_player("/v1/things/a", "key")), R"({"run":2})");
}

TEST_F(IdempotencyTest, a_full_redis_lets_a_request_come_again) {
  EXPECT_EQ(ask(route(true), request_for("/v1/things/a", "key")), R"({"run":1})");
  server.cli({"CONFIG", "SET", "maxmemory", "1"});
  EXPECT_EQ(ask(route(true), request_for("/v1/things/a", "key")), R"({"run":2})");
  EXPECT_THROW(ask(route(true), request_for("/v1/things/a", "new-key")), StoreError);
}

TEST_F(IdempotencyTest, a_note_lives_as_long_as_the_answer) {
  ask(route(true), request_for("/v1/things/a", "key"));
  auto const key = keys();
  EXPECT_GT(std::stoll(server.cli({"PTTL", key})), 86'000'000);
  server.cli({"PEXPIRE", key, "1000000"});
  ask(route(true), request_for("/v1/things/a", "key"));
  EXPECT_GT(std::stoll(server.cli({"PTTL", key})), 86'000'000);
}

TEST_F(IdempotencyTest, the_mark_of_a_request_is_renewed_while_it_runs) {
  auto const request = request_for("/v1/things/a", "key");
  std::optional<Result<Response>> second;
  auto const slow = route(false, [&]() -> Answering {
    auto const key = keys();
    // Until the mark has more time left than before. It must never be gone.
    for (auto left = std::stoll(server.cli({"PTTL", key}));;) {
      auto const now_left = std::stoll(server.cli({"PTTL", key}));
      if (now_left > left || now_left < 0) break;
      left = now_left;
      co_await sleep_for(std::chrono::milliseconds(5));
    }
    second = co_await idempotency.answer(route(false), part, request);
    co_return json_response({{"run", runs}});
  });
  EXPECT_EQ(ask(slow, request), R"({"run":1})");
  ASSERT_TRUE(second);
  ASSERT_FALSE(*second);
  EXPECT_EQ(second->error().code, errors::in_progress);
  EXPECT_EQ(second->error().more.at("retry_after_s"), 1);
  EXPECT_EQ(ask(slow, request), R"({"run":1})");
  EXPECT_EQ(runs, 1);
}

TEST_F(IdempotencyTest, the_mark_is_renewed_after_redis_has_refused_that_once) {
  auto const refused = [&] {
    auto const stats = server.cli({"INFO", "commandstats"});
    auto const at = stats.find("cmdstat_pexpire:");
    return at != stats.npos && !stats.substr(at, stats.find('\n', at) - at).contains("rejected_calls=0,");
  };
  auto const slow = route(false, [&]() -> Answering {
    server.cli({"ACL", "SETUSER", "default", "-pexpire"});
    while (!refused()) co_await sleep_for(std::chrono::milliseconds(5));
    server.cli({"ACL", "SETUSER", "default", "+pexpire"});
    auto const key = keys();
    for (auto left = std::stoll(server.cli({"PTTL", key}));;) {
      auto const now_left = std::stoll(server.cli({"PTTL", key}));
      EXPECT_GT(now_left, 0) << "the mark is gone";
      if (now_left > left || now_left < 0) break;
      left = now_left;
      co_await sleep_for(std::chrono::milliseconds(5));
    }
    co_return json_response({{"run", runs}});
  });
  EXPECT_EQ(ask(slow, request_for("/v1/things/a", "key")), R"({"run":1})");
}

TEST_F(IdempotencyTest, a_server_that_dies_releases_its_mark) {
  auto const waiting = route(false, [&]() -> Answering {
    co_await sleep_for(std::chrono::hours(1));
    co_return no_content();
  });
  auto const request = request_for("/v1/things/a", "key");
  {
    asio::io_context dies;
    redis::Redis its_redis(dies, {.url = redis::parse_url(server.url()), .tls_ca = {}}, metrics);
    Idempotency of_server(its_redis, 50);
    asio::co_spawn(dies, of_server.answer(waiting, part, request), asio::detached);
    while (runs == 0) dies.run_one();
    dies.stop();
  }
  while (!keys().empty()) std::this_thread::yield();
  EXPECT_EQ(ask(route(false), request), R"({"run":2})");
}

}  // namespace

}  // namespace larder::http
