#include "edges/http/idempotency.hpp"

#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/try.hpp"
#include "edges/http/problem.hpp"

#include <fmt/format.h>

#include <charconv>

namespace larder::http {

namespace {

constexpr std::string_view kept_ms = "86400000";
constexpr std::string_view running_ms = "60000";
constexpr std::size_t fingerprint_chars = 64;

// Identifies the request that a key was used for.
std::string fingerprint_of(Request const& request) {
  return sha256_hex(
      fmt::format("{} {}?{}\n{}", method_name(request.method), request.path, request.query, request.body));
}

bool is_sane(std::string_view key) {
  return !key.empty() && key.size() <= limits::idempotency_key_chars_max &&
         std::ranges::all_of(key, [](char c) { return c > ' ' && c < '\x7f'; });
}

}  // namespace

Result<std::optional<std::string>> read_idempotency_text(Request const& request) {
  auto const text = request.header(idempotency_header);
  if (request.headers.count(idempotency_header) == 0) return std::nullopt;
  if (request.headers.count(idempotency_header) > 1)
    return invalid(std::string(idempotency_header),
                   fmt::format("{} must not be sent twice", idempotency_header));
  if (!is_sane(text)) {
    return invalid(std::string(idempotency_header),
                   fmt::format("{} must have 1 to {} visible ASCII characters", idempotency_header,
                               limits::idempotency_key_chars_max));
  }
  return std::string(text);
}

Result<std::optional<IdempotencyKey>> read_idempotency_key(Request const& request) {
  TRY(auto const text, read_idempotency_text(request));
  if (!text) return std::nullopt;
  return IdempotencyKey{.key = fmt::format("{}:{}", request.caller->id, *text),
                        .fingerprint = fingerprint_of(request)};
}

std::string idempotency_redis_key(IdempotencyKey const& key) {
  return fmt::format("larder:idempotency:{}", key_hash(key.key));
}

bool takes_idempotency_key(Route const& route) {
  return route.method != Method::get && route.access.names_caller() && !route.doc.retried_by_order &&
         !route.doc.repeatable && !route.doc.has_secrets;
}

Task<Result<Response>> Idempotency::run_once(Route const& route, Part const& part, Request const& request) {
  auto const read = read_idempotency_key(request);
  if (!read) co_return std::unexpected(read.error());
  LARDER_ASSERT(*read);
  auto const key = idempotency_redis_key(**read);
  auto const& fingerprint = (*read)->fingerprint;
  auto const running = "running " + fingerprint;
  std::exception_ptr refused;
  bool taken = false;
  try {
    auto const reply =
        co_await redis_.command(redis::Use::write, key, {"SET", key, running, "NX", "PX", running_ms});
    taken = !reply.is_nil();
  } catch (StoreError const& error) {
    if (error.outcome_unknown()) throw;
    refused = std::current_exception();
  }
  // A full Redis refuses the mark, but it still has the answer to a request that comes again.
  if (refused && (co_await redis_.command(redis::Use::read, key, {"EXISTS", key})).integer() == 0) {
    std::rethrow_exception(refused);
  }
  if (!taken) co_return co_await earlier_answer(key, fingerprint);

  // A failure of the server is not stored. If its outcome is unknown, the key stays "in progress" for a
  // minute: if the request ran again at once, it could take effect twice.
  std::exception_ptr failure;
  bool may_run_again = true;
  Response response;
  try {
    auto result = co_await route.handler(part, request);
    response = result ? std::move(*result) : problem_response(result.error(), request.request_id);
  } catch (StoreError const& error) {
    failure = std::current_exception();
    may_run_again = !error.outcome_unknown();
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure || response.status >= 500) {
    if (may_run_again) co_await redis_.command(redis::Use::write, key, {"DEL", key});
    if (failure) std::rethrow_exception(failure);
    co_return response;
  }
  auto const done =
      fmt::format("done {} {} {}\n{}", fingerprint, response.status, response.content_type, response.body);
  try {
    co_await redis_.command(redis::Use::idempotent_write, key, {"SET", key, done, "PX", kept_ms});
  } catch (StoreError const& error) {
    // The request has taken effect, and the caller gets the answer. Only a retry cannot
    // be answered from the key.
    log::warn("an answer was not kept", {{"request_id", request.request_id}, {"why", error.what()}});
  }
  co_return response;
}

Task<Result<Response>> Idempotency::earlier_answer(std::string const& key, std::string_view fingerprint) {
  auto const in_progress =
      refuse(errors::in_progress, "the first request with this key still runs; ask again");
  auto const reply = co_await redis_.command(redis::Use::read, key, {"GET", key});
  if (reply.is_nil()) co_return in_progress;  // the first request has just failed
  auto record = reply.text();
  bool const running = record.starts_with("running ");
  record.remove_prefix(record.find(' ') + 1);
  if (record.substr(0, fingerprint_chars) != fingerprint) {
    co_return refuse(errors::idempotency_conflict, "this key was used for another request");
  }
  if (running) co_return in_progress;
  record.remove_prefix(fingerprint_chars + 1);
  Response response;
  std::from_chars(record.data(), record.data() + record.size(), response.status);
  // Answers of the API have one of two content types. A Response does not own this
  // text, so it needs a constant.
  bool const problem = record.substr(0, record.find('\n')).ends_with("problem+json");
  if (problem) response.content_type = "application/problem+json";
  response.body = record.substr(record.find('\n') + 1);
  co_return std::move(response).with("Idempotency-Replayed", "true");
}

}  // namespace larder::http
