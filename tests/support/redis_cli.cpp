#include "support/redis_cli.hpp"

namespace larder::test {

namespace {

std::string printed(redisReply const& reply) {
  switch (reply.type) {
    case REDIS_REPLY_NIL: return "";
    case REDIS_REPLY_INTEGER: return std::to_string(reply.integer);
    case REDIS_REPLY_ARRAY: {
      std::string lines;
      for (std::size_t i = 0; i < reply.elements; ++i)
        lines += (i == 0 ? "" : "\n") + printed(*reply.element[i]);
      return lines;
    }
    default: return {reply.str, std::size_t(reply.len)};
  }
}

}  // namespace

std::string redis_cli(std::string const& socket, RedisLogin const& as,
                      std::vector<std::string> const& words) {
  auto const answer = RedisSocket(socket, as).ask(words);
  return answer ? printed(*answer) : "Could not connect to Redis at " + socket;
}

}  // namespace larder::test
