#include "edges/http/test_server.hpp"

#include "base/json.hpp"
#include "edges/http/ndjson.hpp"
#include "edges/http/openapi.hpp"
#include "edges/http/schema.hpp"
#include "edges/http/static_files.hpp"
#include "edges/http/test_web_socket.hpp"
#include "site_files.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>

#include <condition_variable>

namespace larder::http {

namespace test {

namespace {

struct TestPart {};

struct Held {
  std::mutex mutex;
  std::condition_variable changed;
  int running = 0;
  int released = 0;
};
Held& held() {
  static Held instance;
  return instance;
}

Answering hello(Request const&) { co_return json_response({{"hello", "world"}}); }

Answering echo(Request const& request) {
  auto body = parse_json(request.body);
  if (!body) co_return std::unexpected(std::move(body.error()));
  co_return json_response(*body);
}

Answering bulk(Request const& request) {
  json::object answer{{"bytes", request.body.size()}};
  if (is_ndjson(request)) {
    json::array values;
    for (NdjsonReader lines(request.body); auto line = lines.next();) {
      values.push_back(line->value ? *line->value : json::value(line->value.error().detail));
    }
    answer["values"] = std::move(values);
  }
  co_return json_response(answer);
}

Answering site(Request const& request) {
  static StaticFiles const files(files::site(), {.hashed = "assets/"});
  co_return files.answer(request.parameter("path"), request);
}

struct Things {
  UserId uid;
  std::int64_t limit = 0;
  std::string cursor;
  std::optional<TimeMs> from;
};

Schema<Things> things_schema() {
  return Schema<Things>()
      .path("uid", kind::user_id, &Things::uid, "the user")
      .page(&Things::limit,
            [](std::string const& cursor, Things& things) {
              things.cursor = cursor;
              return true;
            })
      .optional_query("from", kind::time, &Things::from, "not before");
}

Answering user(TestPart&, Things asked) {
  json::value const next = asked.cursor.empty() ? json::value() : json::value(asked.cursor);
  co_return json_response(
      {{"items", {asked.uid.str(), asked.limit - 1, asked.from ? to_rfc3339(*asked.from) : ""}},
       {"next_cursor", next}});
}

Answering name(Request const& request) { co_return json_response({{"name", request.parameter("name")}}); }

Answering secret(Request const& request) { co_return json_response({{"caller", request.caller->name}}); }

constexpr ErrorCode too_many{ErrorKind::rate_limited, "too_many"};
constexpr ErrorCode order_conflict{ErrorKind::conflict, "order_conflict"};

Answering fail(Request const& request) {
  auto const how = request.parameter("how");
  if (how == "store") throw StoreError("redis: connection reset by 10.0.0.7", false);
  if (how == "unknown") throw StoreError("redis: connection reset by 10.0.0.7", true);
  if (how == "bug") throw std::logic_error("a secret of the inside");
  if (how == "odd") throw 7;
  if (how == "rate") {
    co_return std::unexpected(Error{.code = too_many, .detail = "slowly", .more = {{"retry_after_s", 7}}});
  }
  co_return std::unexpected(Error{.code = order_conflict,
                                  .detail = "the order says otherwise",
                                  .more = {{"fields", {"amount"}}, {"status", "not to be replaced"}}});
}

struct Large {
  std::int64_t bytes = 0;
};

Answering large(TestPart&, Large asked) {
  co_return Response{.content_type = "text/plain", .body = std::string(std::size_t(asked.bytes), 'x')};
}

struct TestEntry {
  OrderId order_id;
  UserId uid;
  Amount amount;
  std::string remark;
};

// The handler echoes what it gets. Only the description matters.
Schema<TestEntry> entry_schema() {
  return Schema<TestEntry>().body(
      ObjectSchema<TestEntry>()
          .required("order_id", kind::order_id, &TestEntry::order_id, "the order")
          .required("uid", kind::user_id, &TestEntry::uid, "whose")
          .required("amount", kind::positive_amount, &TestEntry::amount, "how much")
          .optional("remark", kind::text(limits::remark_chars_max), &TestEntry::remark, "why")
          .field(optional("lots", type::array(type::object({required("at", type::time.or_null(), "when")})),
                          "parts"),
                 [](ObjectReader& in, TestEntry&) { in.optional_value("lots"); }));
}

Handler echo_entry() {
  return {[](Part const&, Request const& request) { return echo(request); }, entry_schema().input()};
}

}  // namespace

Task<void> wait_for_release() {
  auto& state = held();
  {
    std::scoped_lock const lock(state.mutex);
    ++state.running;
    state.changed.notify_all();
  }
  for (;;) {
    {
      std::scoped_lock const lock(state.mutex);
      if (state.released > 0) {
        --state.released;
        --state.running;
        state.changed.notify_all();
        co_return;
      }
    }
    co_await sleep_for(std::chrono::milliseconds(1));
  }
}

namespace {

Answering hold(Request const&) {
  co_await wait_for_release();
  co_return json_response({{"held", true}});
}

// Blocks its thread, so that nothing else happens there.
Answering stall(Request const&) {
  auto& state = held();
  std::unique_lock lock(state.mutex);
  ++state.running;
  state.changed.notify_all();
  state.changed.wait(lock, [&] { return state.released > 0; });
  --state.released;
  --state.running;
  state.changed.notify_all();
  co_return no_content();
}

// Says how many requests were answered here before.
Answering count(Request const&) {
  static std::atomic<int> counted = 0;
  co_return json_response(counted++);
}

// Echoes every line in capitals.
Task<void> shout(Socket& socket, Request const& request, std::string_view unread) {
  std::string text =
      fmt::format("HTTP/1.1 101 Switching Protocols\r\nUpgrade: {}\r\n\r\n", request.header("upgrade"));
  text += unread;
  boost::system::error_code error;
  while (!error) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
    co_await asio::async_write(socket, asio::buffer(text), asio::redirect_error(use_task, error));
    text.resize(100);
    auto const bytes =
        co_await socket.async_read_some(asio::buffer(text), asio::redirect_error(use_task, error));
    text.resize(bytes);
  }
}

Answering get_shout(Request const&) { co_return Response{.status = 101, .takeover = &shout}; }

// Sends one word, then waits until the server closes the connection.
Task<void> tick(Socket& socket, Request const&, std::string_view) {
  std::string text = "tick";
  boost::system::error_code error;
  co_await asio::async_write(socket, asio::buffer(text), asio::redirect_error(use_task, error));
  while (!error) co_await socket.async_read_some(asio::buffer(text), asio::redirect_error(use_task, error));
}

Answering get_ticks(Request const&) {
  co_return Response{.content_type = "text/plain", .headers = {{"X-Kind", "stream"}}, .takeover = &tick};
}

Answering nothing(Request const&) { co_return no_content(); }

}  // namespace

void release_held() {
  std::unique_lock lock(held().mutex);
  ++held().released;
  held().changed.notify_all();
  held().changed.wait(lock, [] { return held().released == 0; });
}

void forget_held() {
  std::scoped_lock const lock(held().mutex);
  held().running = 0;
}

void wait_until_held(int count) {
  std::unique_lock lock(held().mutex);
  held().changed.wait(lock, [&] { return held().running >= count; });
}

bool TestScheme::recognises(accounts::Credentials const& credentials) const {
  return !credentials.authorization.empty() || credentials.subprotocol.starts_with("larder, ");
}

Task<Result<accounts::Caller>> TestScheme::authenticate(accounts::Credentials credentials) {
  std::string authorization(credentials.authorization);
  if (authorization.empty()) authorization = fmt::format("Bearer {}", credentials.subprotocol.substr(8));
  if (authorization == "Bearer ledger" && knows_ledger) {
    co_return accounts::Caller{.id = "k1", .name = "bot", .player_id = {}, .scopes = {Scope::ledger}};
  }
  if (authorization == "Bearer admin") {
    co_return accounts::Caller{.id = "k2", .name = "root", .player_id = {}, .scopes = {Scope::admin}};
  }
  if (authorization == "Bearer reader") {
    co_return accounts::Caller{
        .id = "k3", .name = "reader", .player_id = {}, .scopes = {Scope::ledger}, .read_only = true};
  }
  if (authorization == "Bearer main") {
    co_return accounts::Caller{
        .id = "k4", .name = "main", .player_id = {}, .scopes = {Scope::economy}, .realms = {"main", "b c"}};
  }
  if (authorization == "Bearer store") throw StoreError("redis is away", false);
  co_return refuse(errors::unauthorized, "the token is not valid");
}

std::span<Route const> test_routes() {
  static Route const routes[] = {
      {Method::get, "/hello", Access::everyone(), &hello, {.id = "hello", .summary = "Greets"}},
      {Method::post,
       "/echo",
       Access::everyone(),
       &echo,
       {.id = "echo", .summary = "Says it again", .body_type = type::any, .answer_type = type::any}},
      {Method::post,
       "/bulk",
       Access::everyone(),
       &bulk,
       {.id = "bulk",
        .summary = "Counts",
        .body_type = type::any,
        .body_bytes_max = limits::bulk_body_bytes_max,
        .ndjson = true,
        .answer = {required("bytes", type::integer(0), "of the body"),
                   optional("values", type::array(type::any), "of its lines")}}},
      {Method::get,
       "/site/{path...}",
       Access::everyone(),
       &site,
       {.id = "get_site", .summary = "A file", .media = "application/octet-stream"}},
      {Method::get,
       "/v1/users/{uid}/things",
       Access::everyone(),
       handle(things_schema(), &user),
       {.id = "list_things",
        .summary = "Things of a user",
        .answer = {required("thing", type::text(20), "its name"),
                   optional("kind", type::choice({"good", "bad"}), "what kind")}}},
      {Method::get, "/names/{name}", Access::everyone(), &name, {.id = "get_name", .summary = "A name"}},
      {Method::post,
       "/names/special",
       Access::everyone(),
       &nothing,
       {.id = "post_special", .summary = "Nothing", .body_bytes_max = 4096, .status = 204}},
      {Method::get, "/v1/ledger/secret", Scope::ledger, &secret, {.id = "get_secret", .summary = "For keys"}},
      {Method::get,
       "/v1/economy/secret",
       Scope::economy,
       &secret,
       {.id = "get_economy_secret", .summary = "For keys"}},
      {Method::get,
       "/v1/economy/{realm}/secret",
       Scope::economy,
       &secret,
       {.id = "get_realm_secret", .summary = "For keys"}},
      {Method::post,
       "/v1/ledger/entries",
       Scope::ledger,
       echo_entry(),
       {.id = "post_entry",
        .summary = "One entry",
        .answer = {required("balance", type::amount, "what is left")},
        .refusals = {order_conflict, {ErrorKind::not_found, "type_not_found"}}}},
      {Method::get, "/fail/{how}", Access::everyone(), &fail, {.id = "fail", .summary = "Fails"}},
      {Method::get,
       "/large",
       Access::everyone(),
       handle(Schema<Large>().query("bytes", kind::integer(0, 64 << 20), &Large::bytes, "how many"), &large),
       {.id = "large", .summary = "A lot", .media = "text/plain"}},
      {Method::get, "/shout", Access::everyone(), &get_shout, {.id = "shout", .summary = "Shouts"}},
      {Method::get,
       "/ticks",
       Access::any_token(),
       &get_ticks,
       {.id = "ticks",
        .summary = "Ticks",
        .headers = {optional("Last-Event-ID", type::text(1, 64), "where to go on")},
        .media = "text/plain"}},
      {Method::get,
       "/socket",
       Access::everyone(),
       &get_socket,
       {.id = "socket", .summary = "Says it again", .status = 101}},
      {Method::get,
       "/v1/ledger/socket",
       Scope::ledger,
       &get_socket,
       {.id = "ledger_socket", .summary = "Says it again, to keys", .status = 101}},
      {Method::get, "/hold", Access::everyone(), &hold, {.id = "hold", .summary = "Waits"}},
      {Method::get,
       "/stall",
       Access::everyone(),
       &stall,
       {.id = "stall", .summary = "Blocks", .status = 204}},
      {Method::get, "/count", Access::everyone(), &count, {.id = "count", .summary = "Counts"}},
      {Method::delete_,
       "/nothing",
       Access::everyone(),
       &nothing,
       {.id = "nothing", .summary = "Nothing", .status = 204}},
  };
  return routes;
}

TestServer::TestServer(HttpOptions options, int threads, std::optional<RateSetup> const& rate)
    : apis_{operations_api(),
            {.tables = {test_routes()}, .path_words = {required("uid", type::user_id, "the user")}}} {
  options.listen = parse_listen("127.0.0.1:0");
  options.access_log = true;
  openapi_ = FixedText(json::serialize(make_openapi(apis_)));
  std::vector<HttpThread> http_threads;
  for (int i = 0; i < threads; ++i) {
    contexts_.push_back(std::make_unique<asio::io_context>(1));
    auto ask = [this]() -> Task<std::string> {
      if (!store_answers) throw StoreError("away", false);
      co_return "";
    };
    Part const operations(std::make_shared<Operations>(Operations{.metrics = metrics_,
                                                                  .checks = {{"redis", ask}},
                                                                  .log = ready_log_,
                                                                  .shutting_down = shutting_down,
                                                                  .openapi = openapi_}));
    http_threads.push_back({.io = *contexts_.back(),
                            .parts = {operations, Part(std::make_shared<TestPart>())},
                            .authenticator = authenticator_});
    if (!rate) continue;
    limited_.push_back(std::make_unique<Limited>(*contexts_.back(), *rate, metrics_));
    http_threads.back().rate_limit = &limited_.back()->rate_limit;
  }
  server_ = std::make_unique<HttpServer>(options, apis_, metrics_, http_threads);
  server_->start();
  for (auto& context : contexts_) threads_.emplace_back([&io = *context] { io.run(); });
}

TestServer::~TestServer() {
  server_->drain(0);
  for (auto& context : contexts_) context->stop();
}

}  // namespace test

}  // namespace larder::http
