// What the connections of one io thread share. Internal to the server.
#pragma once

#include "base/random.hpp"
#include "base/shares.hpp"
#include "edges/http/bodies.hpp"
#include "edges/http/dispatcher.hpp"
#include "edges/http/http_metrics.hpp"
#include "edges/http/response_writer.hpp"
#include "edges/http/server.hpp"
#include "edges/http/web_socket_metrics.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <unordered_set>

namespace larder::http {

class Connection;

using Acceptor = asio::basic_socket_acceptor<asio::ip::tcp, Executor>;

// What all threads share.
struct ServerState {
  ServerState(HttpOptions o, std::vector<Api> const& systems)
      : options(std::move(o)),
        router(systems),
        bodies(router, options.bodies_bytes_max),
        places(options.connections_per_address_max) {}

  HttpOptions const options;
  Router const router;
  Bodies bodies;
  Shares places;  // of the connections, by address
  OutageLog outages;
  std::atomic<std::size_t> connections = 0;
  std::atomic<bool> draining = false;
  std::mutex mutex;
  std::condition_variable closed;  // signalled when a connection closes during a drain
};

// All listeners of a server share its address. The first one reserves it.
enum class Listener { first, sister };

// Call everything except the constructor on the io thread.
class Worker : public std::enable_shared_from_this<Worker> {
 public:
  Worker(std::shared_ptr<ServerState> state, HttpThread const& thread, Metrics& metrics,
         asio::ip::tcp::endpoint const& listen, Listener listener);

  asio::ip::tcp::endpoint endpoint() const { return endpoint_; }
  asio::io_context& io() { return io_; }
  void start();
  void stop_accepting();
  void close_idle();
  void close_all();
  void stop_sweeping();

  void add(Connection& connection);
  void remove(Connection& connection);
  std::string_view new_request_id();

  HttpOptions const& options() const { return state_->options; }
  // Counts the refused clients of the thread that may still send.
  class Lingering {
   public:
    explicit Lingering(Worker& worker) : worker_(worker) { ++worker_.lingering_; }
    ~Lingering() { --worker_.lingering_; }
    Lingering(Lingering const&) = delete;
    Lingering& operator=(Lingering const&) = delete;
    int count() const { return worker_.lingering_; }

   private:
    Worker& worker_;
  };

  // Memory for bytes that nobody wants. All connections of the thread share it.
  asio::mutable_buffer ignored() { return asio::buffer(ignored_); }
  Bodies& bodies() { return state_->bodies; }
  Shares& places() { return state_->places; }
  bool draining() const { return state_->draining.load(std::memory_order_relaxed); }
  Dispatcher& dispatcher() { return dispatcher_; }
  ResponseWriter& writer() { return writer_; }
  HttpMetrics& metrics() { return metrics_; }
  WebSocketMetrics& web_socket_metrics() { return web_socket_metrics_; }

 private:
  Task<void> accept();
  Task<void> sweep();
  Shares::Place take_place(Socket const& socket);
  Task<void> serve(Socket socket, Shares::Place place);

  std::shared_ptr<ServerState> state_;
  asio::io_context& io_;
  Acceptor acceptor_;
  asio::ip::tcp::endpoint endpoint_;
  Timer sweep_timer_;
  Timer accept_pause_;
  Dispatcher dispatcher_;
  ResponseWriter writer_;
  HttpMetrics metrics_;
  WebSocketMetrics web_socket_metrics_;
  Random random_{random_seed()};
  std::string request_id_;
  int lingering_ = 0;
  std::vector<char> ignored_ = std::vector<char>(64UL * 1024);
  std::unordered_set<Connection*> connections_;
  bool sweeping_ = true;
};

}  // namespace larder::http
