// Answers a request: finds the route, checks who calls, runs the handler, and turns refusals and exceptions
// into problem documents. Knows nothing about sockets.
//
//   auto admission = co_await dispatcher.admit(request);             // needs the head of the request only
//   ... the body arrives, unless admission.refused ...
//   auto answer = co_await dispatcher.answer(request, admission);
#pragma once

#include "base/outage_log.hpp"
#include "edges/http/idempotency.hpp"
#include "edges/http/rate_limit.hpp"
#include "edges/http/router.hpp"
#include "kit/accounts/authenticator.hpp"

namespace larder::http {

struct DispatchOptions {
  bool metrics_public = false;  // true: routes for loopback only are open to everyone
  bool cors = false;            // answers browsers that ask whether they may call
};

struct Answer {
  Response response;
  RouteEntry const* entry = nullptr;  // null: no route matched
};

// What the head of a request decides.
struct Admission {
  RouteEntry const* entry = nullptr;  // null: no route matched
  std::optional<Response> refused = {};
  std::string rate_left = {};  // the value of the header RateLimit; empty if the request was not counted
};

// Thread-compatible: one per io thread.
class Dispatcher {
 public:
  // Without `idempotency`, the header Idempotency-Key is ignored. Without `rate_limit`, nothing is limited.
  // All threads share `outages`.
  Dispatcher(Router const& router, std::vector<Part> parts, accounts::Authenticator& authenticator,
             OutageLog& outages, Idempotency* idempotency, RateLimit* rate_limit, DispatchOptions options)
      : router_(router),
        parts_(std::move(parts)),
        authenticator_(authenticator),
        outages_(outages),
        idempotency_(idempotency),
        rate_limit_(rate_limit),
        options_(options) {}

  // These functions never throw.

  // Fills in the request's route, parameters and caller. Ignores the body.
  Task<Admission> admit(Request& request);
  // Answers the whole request. `waited`: time has passed since admit(), so the token is checked again.
  Task<Answer> answer(Request& request, Admission admission, bool waited = false);
  // Both in one.
  Task<Answer> answer(Request& request);

 private:
  Task<Result<void>> check_head(Route const& route, Request& request, std::string& rate_left);
  Task<Result<Response>> run(RouteEntry const& entry, Request& request, bool waited);
  Task<Result<void>> check_access(Access access, Request& request);
  static Result<void> check_scope(Access access, Request& request);
  static Result<void> choose_player(Request& request);
  Response explain_exception(Request const& request);
  void log_failure(StoreError const& error, Request const& request);
  void log_ends_of_outages();
  Response unmatched(RouteMatch const& match, Request const& request) const;
  Response preflight(std::string_view allow) const;

  Router const& router_;
  std::vector<Part> parts_;  // indexed by system
  accounts::Authenticator& authenticator_;
  OutageLog& outages_;
  Idempotency* idempotency_;
  RateLimit* rate_limit_;
  DispatchOptions options_;
};

}  // namespace larder::http
