#include "edges/http/response_writer.hpp"

#include "base/limits.hpp"
#include "edges/http/problem.hpp"

#include <fmt/chrono.h>
#include <fmt/compile.h>
#include <fmt/format.h>

#include <ctime>

namespace larder::http {

std::string_view ResponseWriter::date() {
  auto const now = std::time(nullptr);
  if (now != date_s_) {
    date_s_ = now;
    date_ = fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(now));
  }
  return date_;
}

// An answer can name only one origin. A browser with another origin does not show the answer to its page.
void ResponseWriter::write_cors(std::string& out, std::string_view origin) const {
  auto const found = std::ranges::find(cors_origins_, origin);
  fmt::format_to(std::back_inserter(out),
                 "Access-Control-Allow-Origin: {}\r\nAccess-Control-Expose-Headers: X-Request-Id, "
                 "Idempotency-Replayed, Retry-After, RateLimit, RateLimit-Policy\r\n",
                 found == cors_origins_.end() ? cors_origins_.front() : *found);
  if (cors_origins_.front() != "*") out += "Vary: Origin\r\n";
}

std::size_t ResponseWriter::write(std::string& out, Response const& response,
                                  ResponseContext const& context) {
  bool const bodiless = response.status == 204 || response.status == 304;
  bool const fixed = !response.fixed_body.empty();
  bool const compressible =
      !bodiless && (fixed ? !response.fixed_gzip.empty() : response.body.size() >= limits::gzip_bytes_min);
  bool const packed = compressible && context.accepts_gzip;
  // Only compression would tell how long the answer to a GET is, and a HEAD is not worth that work.
  bool const length_unknown = packed && !fixed && context.head;
  std::string compressed;
  if (packed && !fixed && !context.head) compressed = gzip_.compress(response.body);
  std::string_view body = compressed.empty() ? response.body : compressed;
  if (fixed) body = packed ? response.fixed_gzip : response.fixed_body;

  auto const to = std::back_inserter(out);
  fmt::format_to(
      to,
      FMT_COMPILE("HTTP/1.1 {} {}\r\nDate: {}\r\nX-Request-Id: {}\r\nX-Content-Type-Options: nosniff\r\n"),
      response.status, title_of(response.status), date(), context.request_id);
  if (!bodiless) fmt::format_to(to, FMT_COMPILE("Content-Type: {}\r\n"), response.content_type);
  if (!bodiless && !context.streamed && !length_unknown) {
    fmt::format_to(to, FMT_COMPILE("Content-Length: {}\r\n"), body.size());
  }
  bool cached_as_said = false;
  for (auto const& [name, value] : response.headers) {
    fmt::format_to(to, FMT_COMPILE("{}: {}\r\n"), name, value);
    cached_as_said |= name == "Cache-Control";
  }
  if (!cached_as_said) out += "Cache-Control: no-store\r\n";
  if (packed) out += "Content-Encoding: gzip\r\n";
  if (compressible) out += "Vary: Accept-Encoding\r\n";
  if (!cors_origins_.empty()) write_cors(out, context.origin);
  if (!context.keep_alive) {
    out += "Connection: close\r\n";
  } else if (context.http_1_0) {
    out += "Connection: keep-alive\r\n";
  }
  out += "\r\n";
  if (context.head || bodiless) return 0;
  out += body;
  return body.size();
}

void ResponseWriter::write_upgrade(std::string& out, Response const& response, std::string_view request_id) {
  auto const to = std::back_inserter(out);
  fmt::format_to(to, "HTTP/1.1 {} {}\r\nX-Request-Id: {}\r\n", response.status, title_of(response.status),
                 request_id);
  for (auto const& [name, value] : response.headers) fmt::format_to(to, "{}: {}\r\n", name, value);
  out += "\r\n";
}

}  // namespace larder::http
