#include "edges/http/idempotency.hpp"

#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/try.hpp"
#include "edges/http/problem.hpp"
#include "larder_http_scripts.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/format.h>

#include <charconv>

namespace larder::http {

namespace {

constexpr std::string_view kept_ms = "86400000";
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

std::unexpected<Error> used_elsewhere() {
  return refuse(errors::idempotency_conflict, "this key was used for another request");
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

Task<Result<Response>> Idempotency::answer(Route const& route, Part const& part, Request const& request) {
  return route.doc.keeps_key ? run_noted(route, part, request) : run_once(route, part, request);
}

Task<Result<Response>> Idempotency::run_noted(Route const& route, Part const& part, Request const& request) {
  auto const text = read_idempotency_text(request);
  if (!text) co_return co_await route.handler(part, request);  // refuses the text, after worse problems
  auto const& owner = request.player.empty() ? request.caller->id : request.player;
  auto const key = idempotency_redis_key({.key = fmt::format("{}:{}", owner, **text), .fingerprint = {}});
  auto const note = "noted " + sha256_hex(fmt::format("{} {}", method_name(request.method), request.path));
  auto const reply = co_await redis_.run(redis::Use::idempotent_write,
                                         redis::ScriptCall(lua::note_key).keys(key).args(note, kept_ms));
  bool const is_new = reply.text().empty();
  if (!is_new && reply.text() != note) co_return used_elsewhere();

  auto result = co_await route.handler(part, request);
  // A refusal costs nothing, so nobody should be able to fill Redis with notes of refusals.
  if (result || !is_new || result.error().kept) co_return result;
  try {
    co_await redis_.command(redis::Use::idempotent_write, key, {"DEL", key});
  } catch (StoreError const& error) {
    log::warn("a note was not deleted", {{"request_id", request.request_id}, {"why", error.what()}});
  }
  co_return result;
}

struct Idempotency::Running {
  std::string key;
  std::string record;
  Timer timer;
  bool over = false;
};

Task<void> Idempotency::keep_in_progress(std::shared_ptr<Running> running) {
  auto const ms = fmt::to_string(running_ms_);
  for (;;) {
    co_await sleep_on(running->timer, std::chrono::milliseconds(running_ms_ / 3));
    if (running->over) co_return;
    try {
      auto const renewed = co_await redis_.command(redis::Use::idempotent_write, running->key,
                                                   {"PEXPIRE", running->key, ms, "GT"});
      // Redis was away for so long that the key has expired.
      if (renewed.integer() == 0 && !running->over) co_await take(running->key, running->record);
    } catch (std::exception const& error) {  // the next turn tries again
      log::warn("a running request was not marked again", {{"why", error.what()}});
    }
  }
}

// Returns false if the key was used before.
Task<bool> Idempotency::take(std::string const& key, std::string const& running) {
  auto const ms = fmt::to_string(running_ms_);
  auto const reply = co_await redis_.command(redis::Use::write, key, {"SET", key, running, "NX", "PX", ms});
  co_return !reply.is_nil();
}

Task<Result<Response>> Idempotency::run_once(Route const& route, Part const& part, Request const& request) {
  auto const read = read_idempotency_key(request);
  if (!read) co_return std::unexpected(read.error());
  LARDER_ASSERT(*read);
  auto const key = idempotency_redis_key(**read);
  auto const& fingerprint = (*read)->fingerprint;
  auto const record = "running " + fingerprint;
  std::exception_ptr refused;
  bool taken = false;
  try {
    taken = co_await take(key, record);
  } catch (StoreError const& error) {
    if (error.outcome_unknown()) throw;
    refused = std::current_exception();
  }
  // A full Redis refuses the mark, but it still has the answer to a repeated request.
  if (refused && (co_await redis_.command(redis::Use::read, key, {"EXISTS", key})).integer() == 0) {
    std::rethrow_exception(refused);
  }
  if (!taken) co_return co_await earlier_answer(key, fingerprint);

  auto const executor = co_await asio::this_coro::executor;
  auto const running = std::make_shared<Running>(key, record, Timer(executor));
  asio::co_spawn(executor, keep_in_progress(running), asio::detached);
  auto response = co_await run_taken(route, part, request, *running);
  if (response.status >= 500) co_return response;
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

// A failure of the server is not stored. If its outcome is unknown, the key stays "in progress" for
// running_ms: if the request ran again at once, it could take effect twice.
Task<Response> Idempotency::run_taken(Route const& route, Part const& part, Request const& request,
                                      Running& running) {
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
  running.over = true;
  running.timer.cancel();
  bool const failed = failure || response.status >= 500;
  if (failed && may_run_again) co_await redis_.command(redis::Use::write, running.key, {"DEL", running.key});
  if (failure) std::rethrow_exception(failure);
  co_return response;
}

Task<Result<Response>> Idempotency::earlier_answer(std::string const& key, std::string_view fingerprint) {
  Error const in_progress{.code = errors::in_progress,
                          .detail = "the first request with this key still runs; ask again",
                          .more = {{"retry_after_s", 1}}};
  auto const reply = co_await redis_.command(redis::Use::read, key, {"GET", key});
  if (reply.is_nil()) co_return std::unexpected(in_progress);  // the first request has just failed
  auto record = reply.text();
  bool const running = record.starts_with("running ");
  record.remove_prefix(record.find(' ') + 1);
  if (record.substr(0, fingerprint_chars) != fingerprint) {
    co_return used_elsewhere();
  }
  if (running) co_return std::unexpected(in_progress);
  record.remove_prefix(fingerprint_chars + 1);
  Response response;
  std::from_chars(record.data(), record.data() + record.size(), response.status);
  // Answers of the API have one of two content types. A Response does not own this
  // text, so it needs a constant.
  bool const problem = record.substr(0, record.find('\n')).ends_with("problem+json");
  response.body = record.substr(record.find('\n') + 1);
  if (problem) {
    response.content_type = "application/problem+json";
    response.refusal = code_of_problem(response.body);
  }
  co_return std::move(response).with("Idempotency-Replayed", "true");
}

}  // namespace larder::http
