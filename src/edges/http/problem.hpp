// Refusals and failures as RFC 9457 problem documents. The only place that knows which kind of refusal has
// which HTTP status.
#pragma once

#include "edges/http/http_types.hpp"

namespace larder::errors {
inline constexpr ErrorCode route_not_found{ErrorKind::not_found, "route_not_found"};
inline constexpr ErrorCode method_not_allowed{ErrorKind::method, "method_not_allowed"};
inline constexpr ErrorCode body_too_large{ErrorKind::too_large, "body_too_large"};
inline constexpr ErrorCode unsupported_media_type{ErrorKind::unsupported, "unsupported_media_type"};
inline constexpr ErrorCode store_unavailable{ErrorKind::unavailable, "store_unavailable"};
inline constexpr ErrorCode internal_error{ErrorKind::internal, "internal_error"};
}  // namespace larder::errors

namespace larder::http {

int status_of(ErrorKind kind);
// "Not Found"; the reason phrase of any status the server may send.
std::string_view title_of(int status);

// What went wrong below the level of routes, where no ErrorKind fits: 408, 417, 431.
struct ProtocolProblem {
  int status = 400;
  std::string_view code = "invalid_request";
  std::string detail = {};
  int retry_after_s = 0;  // 0: not told
};

// `more` comes behind the members named by the RFC and cannot replace one. A whole number
// "retry_after_s" in it is also sent as Retry-After.
Response problem_response(Error const& error, std::string_view request_id);
Response problem_response(ProtocolProblem const& problem, std::string_view request_id);
Response store_problem(StoreError const& error, std::string_view request_id);

}  // namespace larder::http
