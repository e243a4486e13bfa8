#include "stores/redis/stream.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/redirect_error.hpp>

namespace larder::redis {

Task<void> Stream::open(asio::io_context& io, Endpoint const& endpoint, asio::ssl::context* tls,
                        std::function<bool()> is_wanted) {
  using asio::ip::tcp;
  using AnyEndpoint = asio::generic::stream_protocol::endpoint;
  if (endpoint.port == 0) {
    plain_ = std::make_shared<Plain>(io);
    co_await plain_->async_connect(AnyEndpoint(asio::local::stream_protocol::endpoint(endpoint.host)),
                                   use_task);
    co_return;
  }
  asio::ip::basic_resolver<tcp, Executor> resolver(io);
  auto const found = co_await resolver.async_resolve(endpoint.host, std::to_string(endpoint.port), use_task);
  if (!is_wanted()) throw boost::system::system_error(asio::error::operation_aborted);
  plain_ = std::make_shared<Plain>(io);
  boost::system::error_code code = asio::error::host_not_found;
  for (auto const& entry : found) {
    boost::system::error_code ignored;
    plain_->close(ignored);
    co_await plain_->async_connect(AnyEndpoint(entry.endpoint()), asio::redirect_error(use_task, code));
    if (!code || !is_wanted()) break;
  }
  if (code) throw boost::system::system_error(code);
  plain_->set_option(tcp::no_delay(true));
  plain_->set_option(asio::socket_base::keep_alive(true));
  if (!tls) co_return;

  tls_ = std::make_shared<Tls>(std::move(*plain_), *tls);
  plain_.reset();
  SSL_set_tlsext_host_name(tls_->native_handle(), endpoint.host.c_str());
  tls_->set_verify_callback(asio::ssl::host_name_verification(endpoint.host));
  co_await tls_->async_handshake(asio::ssl::stream_base::client, use_task);
}

void Stream::close() {
  boost::system::error_code ignored;
  if (tls_) tls_->next_layer().close(ignored);
  if (plain_) plain_->close(ignored);
}

}  // namespace larder::redis
