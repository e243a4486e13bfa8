#include "edges/http/credentials.hpp"

namespace larder::http {

accounts::Credentials credentials_of(Request const& request) {
  bool const reads = request.method == Method::get || request.method == Method::head;
  return {.authorization = request.header("authorization"),
          .cookie = request.header("cookie"),
          .subprotocol = request.header("sec-websocket-protocol"),
          .origin = request.header("origin"),
          .host = request.header("host"),
          .acts = !reads || request.headers.lists("upgrade", "websocket")};
}

bool is_local(Request const& request) {
  return request.from_loopback && request.header("x-forwarded-for").empty() &&
         request.header("forwarded").empty();
}

}  // namespace larder::http
