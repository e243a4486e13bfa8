// The bytes between us and one Redis: a unix socket, TCP, or TLS over TCP.
#pragma once

#include "base/task.hpp"
#include "stores/redis/url.hpp"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl.hpp>

#include <functional>
#include <memory>

namespace larder::redis {

class Stream {
 public:
  using Plain = asio::basic_stream_socket<asio::generic::stream_protocol, Executor>;
  using Tls = asio::ssl::stream<Plain>;

  // Connects; `tls` may be null. Throws boost::system::system_error. close() interrupts it, except while a
  // name is being resolved: `is_wanted` is asked afterwards.
  Task<void> open(asio::io_context& io, Endpoint const& endpoint, asio::ssl::context* tls,
                  std::function<bool()> is_wanted);
  void close();

  // Operations under way keep their stream alive: they may still touch it after it was closed.
  std::shared_ptr<Plain> const& plain() const { return plain_; }
  std::shared_ptr<Tls> const& tls() const { return tls_; }
  // Calls `f` with the one of them that is open.
  template <class F>
  void with(F&& f) {
    if (tls_) {
      f(tls_);
    } else if (plain_) {
      f(plain_);
    }
  }

 private:
  std::shared_ptr<Plain> plain_;
  std::shared_ptr<Tls> tls_;
};

}  // namespace larder::redis
