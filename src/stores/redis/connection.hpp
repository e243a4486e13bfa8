// One pipelined connection to one Redis server.
#pragma once

#include "base/metrics.hpp"
#include "base/task.hpp"
#include "stores/redis/reply.hpp"
#include "stores/redis/url.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace boost::asio::ssl {
class context;
}

namespace larder::redis {

enum class Delivery {
  answered,    // Redis answered, possibly with an error
  not_sent,    // it never left: nothing happened
  unknown,     // sent, no answer: it may have happened
  unconfirmed  // it happened, but too few replicas have it: a failover may undo it
};

struct Outcome {
  Delivery delivery = Delivery::not_sent;
  Reply reply;
};

struct ConnectionOptions {
  Endpoint endpoint;
  std::string user;
  std::string password;
  int db = 0;
  std::shared_ptr<asio::ssl::context> tls;  // none: plain
  std::chrono::milliseconds timeout{2000};  // from sending to the answer, and for connecting
  // With replicas_min > 0 a confirmed request is answered only once that many replicas have it.
  int replicas_min = 0;
  // For subscriptions: sent after each connect, before anything else.
  std::vector<std::vector<std::string>> setup;
  std::function<void(ReplyView)> on_push;  // a published message
  std::function<void()> on_connect;        // messages may have been missed before
};

struct SendOptions {
  bool confirm = false;  // wait for replicas_min replicas
  bool asking = false;   // the slot is being moved here
  // Instead of the connection's timeout; zero: none (for a blocking read on a dedicated connection).
  std::optional<std::chrono::milliseconds> timeout = std::nullopt;
};

// Thread-compatible: use it from its io_context's thread only. A reply is matched to its request by order, so
// requests are sent without waiting: all that are made in one turn of the loop leave in one write. When the
// connection breaks, or the oldest request passes its timeout, every request in flight ends as `unknown`
// (they share one ordered stream, so none can be saved), and it reconnects by itself with growing pauses.
// What has not left yet goes out on the next connection; if there is none, and during a pause, requests end
// at once as `not_sent`.
class Connection {
 public:
  Connection(asio::io_context& io, ConnectionOptions options, Metrics& metrics);
  ~Connection();  // closes
  Connection(Connection const&) = delete;
  Connection& operator=(Connection const&) = delete;

  // Connects now instead of with the first request.
  void open();
  // For good: requests in flight end as `unknown`, later ones as `not_sent`.
  void close();

  // `args` is encoded before the first suspension and need not outlive the call.
  Task<Outcome> send(std::span<std::string_view const> args, SendOptions options = {});

  Endpoint const& endpoint() const;
  std::string const& last_error() const;  // why the connection was last lost or refused

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace larder::redis
