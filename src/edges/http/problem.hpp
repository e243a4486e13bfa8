// Refusals and failures as problem documents (RFC 9457). Only this file maps kinds of
// refusals to HTTP statuses.
#pragma once

#include "edges/http/http_types.hpp"

namespace larder::errors {
inline constexpr ErrorCode route_not_found{ErrorKind::not_found, "route_not_found"};
inline constexpr ErrorCode method_not_allowed{ErrorKind::method, "method_not_allowed"};
inline constexpr ErrorCode body_too_large{ErrorKind::too_large, "body_too_large"};
inline constexpr ErrorCode unsupported_media_type{ErrorKind::unsupported, "unsupported_media_type"};
inline constexpr ErrorCode too_many_connections{ErrorKind::rate_limited, "too_many_connections"};
inline constexpr ErrorCode clock_off{ErrorKind::unavailable, "clock_off"};
inline constexpr ErrorCode store_unavailable{ErrorKind::unavailable, "store_unavailable"};
inline constexpr ErrorCode internal_error{ErrorKind::internal, "internal_error"};
}  // namespace larder::errors

namespace larder::http {

int status_of(ErrorKind kind);
// The reason phrase, like "Not Found", of any status that the server may send.
std::string_view title_of(int status);

// A problem below the level of routes, where no ErrorKind fits: 408, 417, 431.
struct ProtocolProblem {
  int status = 400;
  std::string_view code = "invalid_request";
  std::string detail = {};
  int retry_after_s = 0;  // 0: not sent
  friend bool operator==(ProtocolProblem const&, ProtocolProblem const&) = default;
};

// `error.more` comes after the members that the RFC names, and cannot replace any of them. If it has a whole
// number "retry_after_s", that number is also sent as Retry-After.
Response problem_response(Error const& error, std::string_view request_id);
Response problem_response(ProtocolProblem const& problem, std::string_view request_id);
// The code of a document that one of these functions has made.
std::string code_of_problem(std::string_view document);
Response store_problem(StoreError const& error, std::string_view request_id);

}  // namespace larder::http
