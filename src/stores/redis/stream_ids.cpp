#include "stores/redis/stream_ids.hpp"

#include "base/number.hpp"
#include "larder_redis_scripts.hpp"

#include <fmt/format.h>

namespace larder::redis {

namespace {

Task<bool> exists(Redis& redis, std::string const& key) {
  co_return (co_await redis.command(Use::read, key, {"EXISTS", key})).integer() == 1;
}

}  // namespace

StreamId parse_stream_id(std::string_view text) {
  auto const dash = text.find('-');
  auto const ms = parse_int(text.substr(0, dash));
  auto const sequence = dash == std::string_view::npos ? std::nullopt : parse_int(text.substr(dash + 1));
  if (!ms || !sequence) throw ReplyError(fmt::format("{} is not the id of an entry of a stream", text));
  return {.ms = *ms, .sequence = *sequence};
}

std::string StreamId::str() const { return fmt::format("{}-{}", ms, sequence); }

Task<StreamId> last_stream_id(Redis& redis, std::string key) {
  if (!co_await exists(redis, key)) co_return StreamId{};
  auto const info = co_await redis.command(Use::read, key, {"XINFO", "STREAM", key});
  for (std::size_t i = 0; i + 1 < info.size(); i += 2) {
    if (info.at(i).text() == "last-generated-id") co_return parse_stream_id(info.at(i + 1).text());
  }
  throw ReplyError("XINFO STREAM says nothing about the last id");
}

Task<void> raise_stream(Redis& redis, std::string key, StreamId id) {
  auto const at = std::max(id, StreamId{.ms = 0, .sequence = 1}).str();
  co_await redis.run(Use::idempotent_write, ScriptCall(lua::raise_stream).keys(key).args(at));
}

}  // namespace larder::redis
