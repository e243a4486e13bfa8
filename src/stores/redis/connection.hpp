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
  not_sent,    // the request never left, so it had no effect
  unknown,     // sent, but not answered: the request may have taken effect
  unconfirmed  // the request took effect, but too few replicas have it: a failover may undo it
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
  std::shared_ptr<asio::ssl::context> tls;  // null: no TLS
  std::chrono::milliseconds timeout{2000};  // from sending to the answer, and for connecting
  // If replicas_min > 0, a request with `confirm` is answered only when that many replicas have it.
  int replicas_min = 0;
  // For subscriptions: commands that are sent after each connect, before all requests.
  std::vector<std::vector<std::string>> setup;
  std::function<void(ReplyView)> on_push;  // a published message
  std::function<void()> on_connect;        // messages may have been missed before
};

struct SendOptions {
  bool confirm = false;  // wait for replicas_min replicas
  bool asking = false;   // send ASKING first: the slot is being moved to this node
  // Overrides the connection's timeout. Zero means no timeout, for a blocking read on a dedicated connection.
  std::optional<std::chrono::milliseconds> timeout = std::nullopt;
};

// Thread-compatible: use a connection only from the thread of its io_context. A reply is matched to its
// request by order, so requests are sent without waiting. All requests made in one turn of the loop
// leave in one write.
//
// When the connection breaks, or the oldest request passes its timeout, every request in flight ends as
// `unknown`: they share one ordered stream, so none can be saved. The connection then reconnects by itself,
// with growing pauses. Requests that have not left yet go out on the next connection. If connecting fails,
// they end as `not_sent`; during a pause, new requests end as `not_sent` at once.
class Connection {
 public:
  Connection(asio::io_context& io, ConnectionOptions options, Metrics& metrics);
  ~Connection();  // closes
  Connection(Connection const&) = delete;
  Connection& operator=(Connection const&) = delete;

  // Connects now instead of waiting for the first request.
  void open();
  // Closes for good. Requests in flight end as `unknown`, all other and all later requests as `not_sent`.
  void close();

  // `args` is encoded before the first suspension and need not outlive the call.
  Task<Outcome> send(std::span<std::string_view const> args, SendOptions options = {});

  Endpoint const& endpoint() const;
  std::string const& last_error() const;  // why the connection was last lost or refused
  // Whether the server has refused the last connection for good: a wrong password or database, no permission.
  bool refused() const;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace larder::redis
