// The byte stream to one Redis server: a unix socket, TCP, or TLS over TCP.
#pragma once

#include "base/task.hpp"
#include "stores/redis/url.hpp"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace larder::redis {

class Stream {
 public:
  using Plain = asio::basic_stream_socket<asio::generic::stream_protocol, Executor>;
  using Tls = asio::ssl::stream<Plain>;

  // Connects. `tls` may be null. Throws boost::system::system_error. close() interrupts open(), but it cannot
  // interrupt the resolving of a name: afterwards open() asks `is_wanted` and gives up if it returns false.
  Task<void> open(asio::io_context& io, Endpoint const& endpoint, asio::ssl::context* tls,
                  std::function<bool()> is_wanted);
  // The same with addresses that are already known, tried in this order. `name` is what the certificate must
  // say. Opens no other address, so a caller that has checked the addresses knows where it is connected.
  Task<void> open_at(asio::io_context& io, std::vector<asio::ip::tcp::endpoint> places, std::string name,
                     asio::ssl::context* tls, std::function<bool()> is_wanted);
  void close();

  // Shared, because a pending operation may touch its stream after close() and must keep it alive.
  std::shared_ptr<Plain> const& plain() const { return plain_; }
  std::shared_ptr<Tls> const& tls() const { return tls_; }
  // Calls `f` with the one of the two that is open.
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

// What a client of TLS trusts: the certificates in the file, or the system's if `ca_file` is empty. Throws
// SetupError, which names the setting.
std::shared_ptr<asio::ssl::context> make_client_tls(std::string const& ca_file, std::string_view setting);

}  // namespace larder::redis
