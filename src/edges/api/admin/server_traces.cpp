#include "edges/api/admin/server_traces.hpp"

#include "kit/events/privacy/mentions.hpp"
#include "kit/events/privacy/traces.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

// A stored answer is a line with its status, then the body.
std::optional<std::string> without_body(std::string const& answer, UserId const& user) {
  if (!answer.starts_with("done ")) return std::nullopt;
  auto const head = answer.find('\n');
  if (head == std::string::npos) return std::nullopt;
  auto const body = std::string_view(answer).substr(head + 1);
  // The id as a JSON string, or as a word in one: ids need no escapes.
  bool const names_user = body.find(fmt::format("\"{}\"", user.str())) != std::string_view::npos ||
                          (privacy::is_telling(user) && privacy::names(body, user.str()));
  if (!names_user) return std::nullopt;
  return answer.substr(0, head + 1) + "{}";
}

}  // namespace

Task<void> forget_server_traces(redis::Redis& redis, UserId user) {
  co_await privacy::change_texts(redis, "larder:idempotency:*",
                                 [&user](std::string const& answer) { return without_body(answer, user); });
  co_await privacy::unlink_matching(redis, fmt::format("larder:rate:{{{}}}:*", user.str()));
}

}  // namespace larder::api
