// Receives deliveries of webhooks as fast as it can, on a thread of its own.
#pragma once

#include "base/task.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace larder::bench {

class WebhookReceiver {
 public:
  WebhookReceiver();
  ~WebhookReceiver();
  WebhookReceiver(WebhookReceiver const&) = delete;
  WebhookReceiver& operator=(WebhookReceiver const&) = delete;

  std::string url() const;
  std::int64_t count() const { return count_; }

 private:
  Task<void> accept();
  Task<void> serve(asio::basic_stream_socket<asio::ip::tcp, Executor> socket);

  asio::io_context io_{1};
  asio::basic_socket_acceptor<asio::ip::tcp, Executor> acceptor_;
  std::atomic<std::int64_t> count_ = 0;
  std::thread thread_;
};

}  // namespace larder::bench
