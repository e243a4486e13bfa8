// Webhooks with their own Redis and SQL, and a receiver that answers as a test wants.
#pragma once

#include "base/json.hpp"
#include "kit/events/feed.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/sql_servers.hpp"
#include "support/temp_dir.hpp"
#include "systems/webhooks/webhook_table.hpp"
#include "systems/webhooks/webhooks_background.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace larder::webhooks {

using namespace std::chrono_literals;

inline constexpr TimeMs start_time{1'800'000'000'000};

struct Received {
  std::string head;
  std::string body;

  std::string field(std::string const& name) const {
    auto const at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return {};
    auto const begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }
  std::string text() const { return json::value_to<std::string>(json::parse(body).at("data").at("n")); }
};

// A server for one test. Keeps connections open, like most servers.
class Receiver {
 public:
  using tcp = asio::ip::tcp;
  using Socket = asio::basic_stream_socket<tcp, Executor>;

  explicit Receiver(asio::io_context& io) : io_(io), acceptor_(io, {asio::ip::address_v4::loopback(), 0}) {
    asio::co_spawn(io_, accept(), asio::detached);
  }

  std::string url() const {
    return fmt::format("http://127.0.0.1:{}/hook?a=b", acceptor_.local_endpoint().port());
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> found;
    for (auto const& each : received) found.push_back(each.text());
    return found;
  }

  std::vector<Received> received;  // all requests, also those that got a refusal
  int connections = 0;
  // The answer to a request; empty: none, and the connection stays open.
  std::function<std::string(Received const&)> answer = [](Received const&) { return ok; };
  static inline std::string const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

 private:
  Task<void> accept() {
    for (;;) {
      Socket socket(io_);
      boost::system::error_code error;
      co_await acceptor_.async_accept(socket, asio::redirect_error(use_task, error));
      if (error) co_return;
      ++connections;
      asio::co_spawn(io_, serve(std::make_shared<Socket>(std::move(socket))), asio::detached);
    }
  }
  Task<void> serve(std::shared_ptr<Socket> socket) {
    std::string in;
    std::array<char, 4096> chunk{};
    for (;;) {
      auto const end = in.find("\r\n\r\n");
      Received request{.head = in.substr(0, end), .body = {}};
      auto const size = end == std::string::npos ? 0 : std::stoul(request.field("Content-Length"));
      if (end == std::string::npos || in.size() < end + 4 + size) {
        boost::system::error_code error;
        auto const read =
            co_await socket->async_read_some(asio::buffer(chunk), asio::redirect_error(use_task, error));
        if (error) co_return;
        in.append(chunk.data(), read);
        continue;
      }
      request.body = in.substr(end + 4, size);
      in.erase(0, end + 4 + size);
      received.push_back(request);
      auto const text = answer(request);
      boost::system::error_code error;
      co_await asio::async_write(*socket, asio::buffer(text), asio::redirect_error(use_task, error));
      if (error || text.find("Connection: close") != std::string::npos) co_return;
    }
  }

  asio::io_context& io_;
  asio::basic_socket_acceptor<tcp, Executor> acceptor_;
};

class WebhooksTest : public testing::Test {
 protected:
  explicit WebhooksTest(std::string const& sql_url = {}, std::int64_t waiting_max = 1000)
      : sql(sql_url.empty() ? "sqlite:" + dir.file("larder.sqlite") : sql_url, 2, metrics),
        background(io, redis, sql, clock, metrics,
                   {.allow = AllowList::parse("127.0.0.1").value(), .waiting_max = waiting_max}) {
    migrate_webhooks(sql);
  }
  void TearDown() override {
    if (started) run(background.stop());
  }

  template <class T>
  T run(Task<T> task) {
    return test::run(io, std::move(task));
  }
  void start() {
    background.start();
    started = true;
  }
  template <class F>
  bool eventually(F condition) {
    return test::eventually(io, condition);
  }
  // Waits until it holds, and moves the clock meanwhile.
  template <class F>
  bool eventually_later(F condition, std::int64_t step_ms = 60'000) {
    return test::eventually(io, [&] {
      clock.advance(step_ms);
      return condition();
    });
  }
  Webhook make(Filter filter = {}) {
    return run(webhooks.create({.url = receiver.url(), .filter = std::move(filter)})).value();
  }
  // Brings an event to the feed, as a projector does.
  void tell(std::string const& user, std::string const& text, Scope system = Scope::ledger) {
    run(feed.tell({{.system = system,
                    .type = "add",
                    .user_id = user,
                    .at = clock.now(),
                    .data = fmt::format(R"({{"n":"{}"}})", text)}}));
  }
  std::vector<Delivery> deliveries(Webhook const& webhook, std::optional<Delivery::State> state = {}) {
    return run(webhooks.deliveries(webhook.id, {.below = limits::amount_max, .limit = 500, .state = state}))
        .value();
  }
  std::string cli(std::vector<std::string> const& words) { return server.cli(words); }

  test::TempDir dir;
  test::RedisServer server;
  asio::io_context io{1};
  TestClock clock{start_time};
  Metrics metrics;
  sql::Database sql;
  redis::Redis redis{io, {.url = redis::parse_url(server.url()), .tls_ca = {}}, metrics};
  Background background;
  Webhooks webhooks{redis, background.shared()};
  events::Feed feed{redis};
  Receiver receiver{io};
  bool started = false;
};

}  // namespace larder::webhooks
