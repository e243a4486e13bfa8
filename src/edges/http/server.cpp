#include "edges/http/server.hpp"

#include "base/number.hpp"
#include "edges/http/worker.hpp"

#include <boost/asio/post.hpp>
#include <fmt/format.h>

namespace larder::http {

namespace {

// Time for the connections to notice that they were closed.
constexpr std::chrono::milliseconds close_grace{1000};

void on_each(std::vector<std::shared_ptr<Worker>> const& workers, void (Worker::*action)()) {
  for (auto const& worker : workers) {
    asio::post(worker->io(), [worker, action] { (*worker.*action)(); });
  }
}

}  // namespace

HttpServer::HttpServer(HttpOptions options, std::vector<Api> const& systems, Metrics& metrics,
                       std::vector<HttpThread> const& threads)
    : state_(std::make_shared<ServerState>(std::move(options), systems)) {
  LARDER_ASSERT(!threads.empty());
  auto listen = state_->options.listen;
  for (auto const& thread : threads) {
    state_->router.check_parts(thread.parts);
    auto const listener = workers_.empty() ? Listener::first : Listener::sister;
    workers_.push_back(std::make_shared<Worker>(state_, thread, metrics, listen, listener));
    listen = workers_.front()->endpoint();
  }
}

HttpServer::~HttpServer() = default;

void HttpServer::start() {
  for (auto const& worker : workers_) worker->start();
}

asio::ip::tcp::endpoint HttpServer::endpoint() const { return workers_.front()->endpoint(); }

std::size_t HttpServer::connections() const { return state_->connections.load(); }

void HttpServer::stop_accepting() { on_each(workers_, &Worker::stop_accepting); }

bool HttpServer::drain(int deadline_ms) {
  stop_accepting();
  state_->draining = true;
  on_each(workers_, &Worker::close_idle);

  std::unique_lock lock(state_->mutex);
  auto const all_closed = [this] { return state_->connections.load() == 0; };
  bool const clean = state_->closed.wait_for(lock, std::chrono::milliseconds(deadline_ms), all_closed);
  if (!clean) {
    on_each(workers_, &Worker::close_all);
    state_->closed.wait_for(lock, close_grace, all_closed);
  }
  on_each(workers_, &Worker::stop_sweeping);
  return clean;
}

asio::ip::tcp::endpoint parse_listen(std::string_view address) {
  auto const wrong = [&] {
    return SetupError(
        fmt::format("cannot listen on {}: give an address and a port, such as 127.0.0.1:7420", address));
  };
  auto const colon = address.rfind(':');
  if (colon == std::string_view::npos) throw wrong();
  auto host = address.substr(0, colon);
  auto const port = parse_int<std::uint16_t>(address.substr(colon + 1));
  if (!port) throw wrong();
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  boost::system::error_code error;
  auto const parsed = asio::ip::make_address(host, error);
  if (error) throw wrong();
  return {parsed, *port};
}

}  // namespace larder::http
