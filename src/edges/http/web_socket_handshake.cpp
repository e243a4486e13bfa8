#include "edges/http/web_socket.hpp"
#include "kit/accounts/origin.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>

namespace larder::http {

namespace {

constexpr std::string_view subprotocol = "larder";

// RFC 6455, 4.2.1: 16 bytes in base64.
bool is_key(std::string_view key) {
  constexpr std::size_t digits = 22;
  auto const is_digit = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
  };
  return key.size() == digits + 2 && key.ends_with("==") &&
         std::ranges::all_of(key.substr(0, digits), is_digit);
}

// RFC 6455, 4.2.2: proves that the server has read the key and speaks WebSocket.
std::string accept_key(std::string_view key) {
  auto const text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest = {};
  SHA1(reinterpret_cast<unsigned char const*>(text.data()), text.size(), digest.data());
  std::array<unsigned char, 4 * ((SHA_DIGEST_LENGTH + 2) / 3) + 1> encoded = {};
  auto const size = EVP_EncodeBlock(encoded.data(), digest.data(), digest.size());
  return {encoded.begin(), encoded.begin() + size};
}

}  // namespace

Result<Response> accept_web_socket(Request const& request, WebSocketSession session) {
  auto const& headers = request.headers;
  if (accounts::compare_origin(request.header("origin"), request.header("host")) ==
      accounts::Origin::foreign) {
    return refuse(errors::forbidden, "a page of another origin may not open this WebSocket");
  }
  bool const asks = request.method == Method::get && !request.http_1_0 &&
                    headers.lists("connection", "upgrade") && headers.lists("upgrade", "websocket");
  if (!asks)
    return refuse(errors::upgrade_required, "this path is a WebSocket: ask for an upgrade to websocket");
  if (headers.count("sec-websocket-version") != 1 || headers.find("sec-websocket-version") != "13") {
    return refuse(errors::upgrade_required, "the only WebSocket version spoken here is 13");
  }
  auto const key = headers.find("sec-websocket-key");
  if (headers.count("sec-websocket-key") != 1 || !is_key(key)) {
    return invalid("Sec-WebSocket-Key", "Sec-WebSocket-Key must be the base64 of 16 bytes");
  }
  auto response = Response{.status = 101, .content_type = {}, .session = std::move(session)}
                      .with("Upgrade", "websocket")
                      .with("Connection", "Upgrade")
                      .with("Sec-WebSocket-Accept", accept_key(key));
  if (headers.lists("sec-websocket-protocol", subprotocol)) {
    response.headers.emplace_back("Sec-WebSocket-Protocol", subprotocol);
  }
  return response;
}

}  // namespace larder::http
