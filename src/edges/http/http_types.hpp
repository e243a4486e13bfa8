// HTTP as a route sees it: requests and responses, without sockets or parsers.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/task.hpp"
#include "kit/accounts/caller.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Forward declarations, so that this header includes no socket headers.
namespace boost::asio {
template <class Protocol, class Executor>
class basic_stream_socket;
namespace ip {
class tcp;
}
}  // namespace boost::asio

namespace larder::http {

using Socket = asio::basic_stream_socket<asio::ip::tcp, Executor>;

enum class Method { get, head, post, put, patch, delete_, options, other };

std::string_view method_name(Method method);  // "GET"; "OTHER" for a method that no route can have
Method parse_method(std::string_view name);

// Case-insensitive for ASCII, as header names and many header values are.
bool equals_ignoring_case(std::string_view a, std::string_view b);

// Empties a value and frees its memory. Assigning an empty string would keep the memory.
template <class T>
void free_memory(T& value) {
  T empty;
  std::swap(value, empty);
}

// The header fields of one request, in one block of memory that the next request reuses.
class Headers {
 public:
  void add(std::string_view name, std::string_view value);
  void clear();
  std::size_t size() const { return fields_.size(); }
  // The value of the first field with this name; empty if there is none.
  std::string_view find(std::string_view name) const;
  std::string_view find_last(std::string_view name) const;
  std::size_t count(std::string_view name) const;
  // Whether a field has a name for which `test` is true.
  bool any_name(bool (*test)(std::string_view name)) const;
  // Whether the comma-separated list in the fields with this name contains `token`.
  bool lists(std::string_view name, std::string_view token) const;

 private:
  struct Field {
    std::size_t at = 0;
    std::size_t name_size = 0;
    std::size_t value_size = 0;
  };
  std::string_view name_of(Field const& field) const {
    return std::string_view(text_).substr(field.at, field.name_size);
  }
  std::string_view value_of(Field const& field) const {
    return std::string_view(text_).substr(field.at + field.name_size, field.value_size);
  }

  std::string text_;
  std::vector<Field> fields_;
};

struct PathParameter {
  std::string_view name;
  std::string value;  // percent-decoded, valid UTF-8
};

struct Request {
  Method method = Method::get;
  std::string path;        // as sent, without the query
  std::string query;       // as sent, without the '?'; QueryReader decodes it
  std::string_view route;  // the template, like "/v1/users/{id}"; empty if no route matches
  std::vector<PathParameter> parameters;
  Headers headers;
  std::string body;
  std::string request_id;
  std::string peer;  // the address of the sender; behind a proxy, the proxy's address
  bool from_loopback = false;
  bool http_1_0 = false;
  std::optional<accounts::Caller> caller;  // none on a public route
  std::string player;                      // whom the request acts for, on a route with Access::player
  // The first user that the path, the query or the body names, for the access log. The readers note it.
  mutable std::string user = {};

  std::string_view header(std::string_view name) const { return headers.find(name); }
  // The Content-Type as sent, without parameters: "application/json".
  std::string_view media_type() const;
  // The value of a `{name}` in the route. Asserts that the route has this name.
  std::string const& parameter(std::string_view name) const;
};

// Takes over the connection after the handler, for WebSockets and server-sent events. The connection is
// closed when the takeover returns. `unread` is what the client sent after its request.
// - With status 101, the takeover writes everything itself, including the status line. If a drain reaches its
//   deadline, it closes the socket while the takeover runs.
// - With any other status, the server has written the head, and the takeover writes a stream that ends with
//   the connection. Such a stream has no end of its own, so a drain closes its socket at once.
using Takeover = std::function<Task<void>(Socket& socket, Request const& request, std::string_view unread)>;

class WebSocket;
// A conversation over a WebSocket; see web_socket.hpp. The socket is closed when the session returns. The
// request lives as long as the session, but its header fields and body are gone.
using WebSocketSession = std::function<Task<void>(std::shared_ptr<WebSocket> socket, Request const& request)>;

struct Response {
  int status = 200;
  std::string refusal = {};                            // the code of a refusal, for the access log
  std::string_view content_type = "application/json";  // must be a constant: it is not copied
  std::string body = {};
  std::string_view fixed_body = {};  // sent instead of `body`; must outlive the server
  std::string_view fixed_gzip =
      {};  // the same, compressed: for clients that accept gzip. Empty: not compressed
  std::vector<std::pair<std::string_view, std::string>> headers = {};  // the names must be constants
  Takeover takeover = {};         // writes instead of the body; not run for HEAD
  WebSocketSession session = {};  // set by accept_web_socket()

  Response&& with(std::string_view name, std::string value) && {
    headers.emplace_back(name, std::move(value));
    return std::move(*this);
  }
};

Response json_response(json::value const& value, int status = 200);
Response no_content();
// The answer to a list: {"items": [...], "next_cursor": "..." or null}. `limit` is one more than the
// size of a page. If `found` has `limit` elements, the last one is left for the next page. `write`
// returns the JSON of an element, or appends its text to a string. `cursor_of` returns the cursor that
// continues after an element.
template <class Element, class Write, class CursorOf>
Response page_response(std::vector<Element> const& found, std::int64_t limit, Write write,
                       CursorOf cursor_of) {
  Response response{.body = R"({"items":[)"};
  auto const count = std::min(found.size(), std::size_t(limit - 1));
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) response.body += ',';
    if constexpr (std::is_invocable_v<Write, std::string&, Element const&>) {
      write(response.body, found[i]);
    } else {
      response.body += json::serialize(write(found[i]));
    }
  }
  response.body += R"(],"next_cursor":)";
  if (found.size() > count) {
    append_json_string(response.body, cursor_of(found[count - 1]));
  } else {
    response.body += "null";
  }
  response.body += '}';
  return response;
}

}  // namespace larder::http
