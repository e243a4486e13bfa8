#include "base/number.hpp"
#include "edges/api/messages/messages_api.hpp"
#include "edges/http/uri.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

Task<std::vector<SearchHit>> find_in_messages(messages::Messages& messages, std::string text) {
  std::vector<SearchHit> hits;
  if (auto const id = parse_int(text); id && *id > 0 && fmt::to_string(*id) == text) {
    if (co_await messages.find(*id))
      hits.push_back({.kind = "message", .id = text, .path = fmt::format("/v1/messages/{}", *id)});
  }
  auto const user = UserId::from(text);
  if (user && !(co_await messages.list({.target = user, .limit = 1})).empty()) {
    hits.push_back(
        {.kind = "user", .id = text, .path = fmt::format("/v1/messages?target_id={}", percent_encode(text))});
  }
  co_return hits;
}

}  // namespace

SearchOf messages_search(messages::Messages& messages) {
  return {.system = "messages",
          .find = [&messages](std::string text) { return find_in_messages(messages, std::move(text)); }};
}

}  // namespace larder::api
