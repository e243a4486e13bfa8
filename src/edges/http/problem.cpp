#include "edges/http/problem.hpp"

#include <fmt/format.h>

namespace larder::http {

namespace {

struct Document {
  int status;
  std::string_view code;
  std::string_view detail;
  std::string_view field = {};
  json::object const* more = nullptr;
};

Response respond(Document const& document, std::string_view request_id) {
  json::object body;
  body["type"] = "about:blank";  // RFC 9457: then the title is that of the status; `code` has the details
  body["title"] = title_of(document.status);
  body["status"] = document.status;
  body["detail"] = document.detail;
  body["code"] = document.code;
  if (!document.field.empty()) body["field"] = document.field;
  if (document.more) {
    for (auto const& member : *document.more) body.insert(member);  // does not replace existing members
  }
  if (!request_id.empty()) body["request_id"] = request_id;  // a message on a WebSocket is not a request
  return {.status = document.status,
          .refusal = std::string(document.code),
          .content_type = "application/problem+json",
          .body = json::serialize(body)};
}

}  // namespace

int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid: return 400;
    case ErrorKind::unauthenticated: return 401;
    case ErrorKind::forbidden: return 403;
    case ErrorKind::not_found: return 404;
    case ErrorKind::method: return 405;
    case ErrorKind::conflict: return 409;
    case ErrorKind::too_large: return 413;
    case ErrorKind::unsupported: return 415;
    case ErrorKind::unprocessable: return 422;
    case ErrorKind::upgrade: return 426;
    case ErrorKind::rate_limited: return 429;
    case ErrorKind::unavailable: return 503;
    case ErrorKind::internal: return 500;
  }
  LARDER_ASSERT(false);
  return 500;
}

std::string_view title_of(int status) {
  switch (status) {
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 422: return "Unprocessable Content";
    case 426: return "Upgrade Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    default: return "Unknown";
  }
}

Response problem_response(Error const& error, std::string_view request_id) {
  auto response = respond({.status = status_of(error.code.kind),
                           .code = error.code.name,
                           .detail = error.detail,
                           .field = error.field,
                           .more = &error.more},
                          request_id);
  if (error.replayed) response.headers.emplace_back("Idempotency-Replayed", "true");
  if (error.code.kind == ErrorKind::unauthenticated) {
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
  }
  if (error.code.kind == ErrorKind::upgrade) {
    response.headers.emplace_back("Upgrade", "websocket");
    response.headers.emplace_back("Sec-WebSocket-Version", "13");
  }
  if (auto const* wait = error.more.if_contains("retry_after_s"); wait && wait->is_int64()) {
    response.headers.emplace_back("Retry-After", fmt::to_string(wait->get_int64()));
  }
  return response;
}

Response problem_response(ProtocolProblem const& problem, std::string_view request_id) {
  Document document{.status = problem.status, .code = problem.code, .detail = problem.detail};
  if (problem.retry_after_s == 0) return respond(document, request_id);
  json::object const more{{"retry_after_s", problem.retry_after_s}};
  document.more = &more;
  return respond(document, request_id).with("Retry-After", fmt::to_string(problem.retry_after_s));
}

std::string code_of_problem(std::string_view document) {
  auto const parsed = parse_json(document);
  auto const* const object = parsed ? parsed->if_object() : nullptr;
  auto const* const code = object ? object->if_contains("code") : nullptr;
  return code && code->is_string() ? std::string(std::string_view(code->get_string())) : std::string();
}

Response store_problem(StoreError const& error, std::string_view request_id) {
  json::object const more{{"outcome_unknown", error.outcome_unknown()}};
  if (dynamic_cast<ClockError const*>(&error)) {
    return respond(
               {.status = status_of(errors::clock_off.kind),
                .code = errors::clock_off.name,
                .detail = "the clock of this server is not right, so the request has not taken effect; ask "
                          "another server",
                .more = &more},
               request_id)
        .with("Retry-After", "1");
  }
  return respond(
             {.status = status_of(errors::store_unavailable.kind),
              .code = errors::store_unavailable.name,
              .detail =
                  dynamic_cast<LostError const*>(&error)
                      ? "Redis has lost data, and a person must repair it; the request has not taken effect"
                  : error.outcome_unknown() ? "a store did not answer; the request may have taken effect"
                                            : "a store is not available; the request has not taken effect",
              .more = &more},
             request_id)
      .with("Retry-After", "1");
}

}  // namespace larder::http
