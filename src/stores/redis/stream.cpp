#include "stores/redis/stream.hpp"

#include "base/error.hpp"

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/redirect_error.hpp>
#include <fmt/format.h>

namespace larder::redis {

namespace {

using AnyEndpoint = asio::generic::stream_protocol::endpoint;

}  // namespace

Task<void> Stream::open(asio::io_context& io, Endpoint const& endpoint, asio::ssl::context* tls,
                        std::function<bool()> is_wanted) {
  using asio::ip::tcp;
  if (endpoint.port == 0) {
    plain_ = std::make_shared<Plain>(io);
    co_await plain_->async_connect(AnyEndpoint(asio::local::stream_protocol::endpoint(endpoint.host)),
                                   use_task);
    co_return;
  }
  asio::ip::basic_resolver<tcp, Executor> resolver(io);
  auto const found = co_await resolver.async_resolve(endpoint.host, std::to_string(endpoint.port), use_task);
  if (!is_wanted()) throw boost::system::system_error(asio::error::operation_aborted);
  std::vector<tcp::endpoint> places;
  for (auto const& entry : found) places.push_back(entry.endpoint());
  co_await open_at(io, std::move(places), endpoint.host, tls, std::move(is_wanted));
}

Task<void> Stream::open_at(asio::io_context& io, std::vector<asio::ip::tcp::endpoint> places,
                           std::string name, asio::ssl::context* tls, std::function<bool()> is_wanted) {
  using asio::ip::tcp;
  plain_ = std::make_shared<Plain>(io);
  boost::system::error_code code = asio::error::host_not_found;
  for (auto const& place : places) {
    boost::system::error_code ignored;
    plain_->close(ignored);
    co_await plain_->async_connect(AnyEndpoint(place), asio::redirect_error(use_task, code));
    if (!code || !is_wanted()) break;
  }
  if (code) throw boost::system::system_error(code);
  plain_->set_option(tcp::no_delay(true));
  plain_->set_option(asio::socket_base::keep_alive(true));
  if (!tls) co_return;

  tls_ = std::make_shared<Tls>(std::move(*plain_), *tls);
  plain_.reset();
  SSL_set_tlsext_host_name(tls_->native_handle(), name.c_str());
  tls_->set_verify_callback(asio::ssl::host_name_verification(name));
  co_await tls_->async_handshake(asio::ssl::stream_base::client, use_task);
}

void Stream::close() {
  boost::system::error_code ignored;
  if (tls_) tls_->next_layer().close(ignored);
  if (plain_) plain_->close(ignored);
}

std::shared_ptr<asio::ssl::context> make_client_tls(std::string const& ca_file, std::string_view setting) {
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
  if (ca_file.empty()) {
    tls->set_default_verify_paths();
  } else {
    boost::system::error_code code;
    tls->load_verify_file(ca_file, code);
    if (code) throw SetupError(fmt::format("{} {}: {}", setting, ca_file, code.message()));
  }
  tls->set_verify_mode(asio::ssl::verify_peer);
  return tls;
}

}  // namespace larder::redis
