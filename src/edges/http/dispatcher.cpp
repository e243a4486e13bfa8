#include "edges/http/dispatcher.hpp"

#include "base/log.hpp"
#include "base/try.hpp"
#include "edges/http/credentials.hpp"
#include "edges/http/ndjson.hpp"
#include "edges/http/problem.hpp"
#include "edges/http/query.hpp"

#include <fmt/format.h>

namespace larder::http {

namespace {

// Nothing here unpacks a body. Reading its bytes as JSON would only give a puzzling refusal.
std::optional<Error> problem_of_encoding(Request const& request) {
  if (request.headers.count("content-encoding") == 0) return std::nullopt;
  return Error{.code = errors::unsupported_media_type,
               .detail = "send the body as it is, without Content-Encoding"};
}

// Whether the head gives the body a length. A body in chunks may turn out to be empty.
bool announces_body(Request const& request) {
  return request.header("content-length").find_first_not_of('0') != std::string_view::npos;
}

std::optional<Error> problem_of_media(Route const& route, Request const& request, bool has_body) {
  if (!route.takes_body() || !has_body) return std::nullopt;
  if (equals_ignoring_case(request.media_type(), "application/json")) return std::nullopt;
  if (route.doc.ndjson && is_ndjson(request)) return std::nullopt;
  return Error{.code = errors::unsupported_media_type,
               .detail = fmt::format("send the body as Content-Type: application/json{}",
                                     route.doc.ndjson ? " or application/x-ndjson" : "")};
}

// The caller of a route for players is probably a player, who has no use for the words on service keys.
Error explain_missing_token(Access access, Request const& request, Error error) {
  bool const for_players =
      access.kind() == Access::Kind::player || access.kind() == Access::Kind::player_or_scope;
  bool const has_key = accounts::bearer_token(request.header("authorization")).starts_with("lk_");
  bool const explained = error.detail.contains("log in");
  if (for_players && error.code == errors::unauthorized && !has_key && !explained)
    error.detail += "; a player gets a token from POST /v1/auth/login";
  return error;
}

// If there are two values, a proxy may check one, and the server the other.
std::optional<Error> problem_of_credentials(Request const& request) {
  for (std::string_view const name : {"Authorization", "Cookie", "Origin"}) {
    if (request.headers.count(name) < 2) continue;
    return Error{.code = errors::invalid_request,
                 .detail = fmt::format("{} must not be sent twice", name),
                 .field = std::string(name)};
  }
  return std::nullopt;
}

// A service key may be limited to reading, and to some realms.
std::optional<Error> problem_of_limits(accounts::Caller const& caller, Request const& request) {
  if (caller.read_only && credentials_of(request).acts) {
    return Error{.code = errors::forbidden,
                 .detail = "the service key is read-only: it may send GET and HEAD, and open no WebSocket"};
  }
  if (caller.realms.empty()) return std::nullopt;
  auto const realm = std::ranges::find(request.parameters, realm_parameter, &PathParameter::name);
  if (realm == request.parameters.end()) {
    return Error{.code = errors::forbidden,
                 .detail =
                     "the service key may only touch some realms of the economy, and this route is not "
                     "about one realm"};
  }
  if (std::ranges::find(caller.realms, realm->value) != caller.realms.end()) return std::nullopt;
  return Error{.code = errors::forbidden,
               .detail = fmt::format("the service key may not touch the realm {}", realm->value)};
}

// The client learns no internal details.
Response failed(Request const& request, std::string_view what) {
  log::error("request failed",
             {{"request_id", request.request_id}, {"route", request.route}, {"error", what}});
  return problem_response(
      Error{.code = errors::internal_error, .detail = "the server failed; its log has the request_id"},
      request.request_id);
}

}  // namespace

// The first failure of an outage is a warning. The others are for those who look for one request.
void Dispatcher::log_failure(StoreError const& error, Request const& request) {
  auto const level =
      outages_.note(error.store(), OutageLog::Time::clock::now()) ? log::Level::warn : log::Level::debug;
  log::write(level, "store failed",
             {{"request_id", request.request_id},
              {"route", request.route},
              {"error", error.what()},
              {"outcome_unknown", error.outcome_unknown()}});
}

void Dispatcher::log_ends_of_outages() {
  for (auto const& outage : outages_.over(OutageLog::Time::clock::now())) {
    if (outage.requests == 1) continue;  // the line about it says everything
    log::info("requests no longer fail because of a store",
              {{"store", outage.store.empty() ? "SQL or other" : outage.store},
               {"requests_failed", outage.requests},
               {"seconds", outage.seconds}});
  }
}

// Call it inside a catch block.
Response Dispatcher::explain_exception(Request const& request) {
  try {
    throw;
  } catch (StoreError const& error) {
    log_failure(error, request);
    return store_problem(error, request.request_id);
  } catch (ForeignRecord const& error) {
    log::warn("a foreign record", {{"request_id", request.request_id}, {"error", error.what()}});
    return problem_response(error.refusal(), request.request_id);
  } catch (std::exception const& error) {
    return failed(request, error.what());
  } catch (...) {
    return failed(request, "an exception of no known type");
  }
}

Task<Result<void>> Dispatcher::check_access(Access access, Request& request) {
  if (access.kind() == Access::Kind::loopback && !options_.metrics_public && !is_local(request)) {
    co_return refuse(errors::forbidden, "only this machine may ask for it");
  }
  if (!access.needs_token()) co_return Result<void>();

  auto caller = co_await authenticator_.authenticate(credentials_of(request));
  if (!caller) co_return std::unexpected(explain_missing_token(access, request, std::move(caller.error())));
  request.caller = std::move(*caller);
  CO_TRY_DO(check_scope(access, request));
  if (auto problem = problem_of_limits(*request.caller, request))
    co_return std::unexpected(std::move(*problem));
  co_return Result<void>();
}

Result<void> Dispatcher::check_scope(Access access, Request& request) {
  if (access.kind() == Access::Kind::player) return choose_player(request);
  bool const is_player = access.kind() == Access::Kind::player_or_scope && !request.caller->player_id.empty();
  if (access.kind() != Access::Kind::token && !is_player && !request.caller->allows(access.scope())) {
    return refuse(errors::forbidden, fmt::format("the token lacks the scope {}", scope_name(access.scope())));
  }
  return {};
}

// A player acts on their own behalf. A service key says for which player it acts.
Result<void> Dispatcher::choose_player(Request& request) {
  auto const& caller = *request.caller;
  if (caller.player_id.empty() && !caller.allows(Access::bots_of_players)) {
    return refuse(errors::forbidden, fmt::format("this is not a player token, and it lacks the scope {}",
                                                 scope_name(Access::bots_of_players)));
  }
  QueryReader in(request);
  auto const named = in.optional_text(player_parameter, {.chars_max = limits::uid_chars_max});
  if (!caller.player_id.empty()) {
    if (named && *named != caller.player_id) {
      return refuse(errors::forbidden, "a player's token acts for that player only");
    }
    request.player = caller.player_id;
    return {};
  }
  auto const player = UserId::from(named.value_or(""));
  if (!player) {
    return std::unexpected(
        Error{.code = errors::invalid_request,
              .detail = "a service key must name the player it acts for: ?player=<user id>",
              .field = std::string(player_parameter)});
  }
  request.player = player->str();
  return {};
}

Task<Result<void>> Dispatcher::check_head(Route const& route, Request& request, std::string& rate_left) {
  if (auto problem = problem_of_credentials(request)) co_return std::unexpected(std::move(*problem));
  if (route.access.kind() != Access::Kind::everyone) {
    if (auto access = co_await check_access(route.access, request); !access) co_return access;
  }
  if (rate_limit_ && is_rate_limited(route)) {
    auto verdict = co_await rate_limit_->count(route, request);
    rate_left = std::move(verdict.left);
    if (verdict.refused) co_return std::unexpected(std::move(*verdict.refused));
  }
  if (auto problem = problem_of_encoding(request)) co_return std::unexpected(std::move(*problem));
  if (auto problem = problem_of_media(route, request, announces_body(request)))
    co_return std::unexpected(std::move(*problem));
  co_return Result<void>();
}

Task<Result<Response>> Dispatcher::run(RouteEntry const& entry, Request& request, bool waited) {
  auto const& route = *entry.route;
  auto const& part = parts_[entry.system];
  if (waited && route.access.needs_token()) {
    if (auto access = co_await check_access(route.access, request); !access)
      co_return std::unexpected(std::move(access.error()));
  }
  if (auto problem = problem_of_media(route, request, !request.body.empty()))
    co_return std::unexpected(std::move(*problem));
  if (idempotency_ && takes_idempotency_key(route) && request.headers.count(idempotency_header) > 0) {
    co_return co_await idempotency_->answer(route, part, request);
  }
  co_return co_await route.handler(part, request);
}

Task<Admission> Dispatcher::admit(Request& request) {
  Admission admission;
  try {
    auto const match = router_.match(request.method, request.path, request.parameters);
    if (match.outcome != RouteMatch::Outcome::found) {
      admission.refused = unmatched(match, request);
      co_return admission;
    }
    admission.entry = match.entry;
    request.route = match.entry->route->path;
    auto const checked = co_await check_head(*match.entry->route, request, admission.rate_left);
    if (!checked) admission.refused = problem_response(checked.error(), request.request_id);
  } catch (...) {
    admission.refused = explain_exception(request);
  }
  co_return admission;
}

Task<Answer> Dispatcher::answer(Request& request, Admission admission, bool waited) {
  Answer answer{.response = {}, .entry = admission.entry};
  if (admission.refused) {
    answer.response = std::move(*admission.refused);
  } else {
    try {
      auto result = co_await run(*admission.entry, request, waited);
      answer.response = result ? std::move(*result) : problem_response(result.error(), request.request_id);
    } catch (...) {
      answer.response = explain_exception(request);
    }
  }
  if (!admission.rate_left.empty()) {
    answer.response.headers.emplace_back(rate_policy_header, rate_limit_->policy());
    answer.response.headers.emplace_back(rate_limit_header, std::move(admission.rate_left));
  }
  log_ends_of_outages();
  co_return answer;
}

Task<Answer> Dispatcher::answer(Request& request) {
  auto admission = co_await admit(request);
  co_return co_await answer(request, std::move(admission));
}

Response Dispatcher::unmatched(RouteMatch const& match, Request const& request) const {
  switch (match.outcome) {
    case RouteMatch::Outcome::malformed:
      return problem_response(
          Error{.code = errors::invalid_request, .detail = "the path is not percent-encoded UTF-8"},
          request.request_id);
    case RouteMatch::Outcome::method_not_allowed:
      if (request.method == Method::options && options_.cors) return preflight(match.allow);
      return problem_response(Error{.code = errors::method_not_allowed,
                                    .detail = fmt::format("this path takes {}", match.allow)},
                              request.request_id)
          .with("Allow", std::string(match.allow));
    default:
      return problem_response(Error{.code = errors::route_not_found,
                                    .detail = "there is nothing at this path; /docs lists every route"},
                              request.request_id);
  }
}

Response Dispatcher::preflight(std::string_view allow) const {
  return no_content()
      .with("Access-Control-Allow-Methods", std::string(allow))
      .with("Access-Control-Allow-Headers",
            "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id")
      .with("Access-Control-Max-Age", "600");
}

}  // namespace larder::http
