// The Redis protocol: encodes commands and decodes replies.
#pragma once

#include "stores/redis/reply.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct redisReader;

namespace larder::redis {

// Appends "*3\r\n" or "$5\r\n".
void encode_length(std::string& out, char kind, std::size_t length);

// Appends a command. The formatter of hiredis would make an extra copy.
template <class Args>
void encode(std::string& out, Args const& args) {
  encode_length(out, '*', std::size(args));
  for (std::string_view const arg : args) {
    encode_length(out, '$', arg.size());
    out.append(arg).append("\r\n");
  }
}

// Takes bytes in any portions and returns complete replies.
class RespReader {
 public:
  RespReader();

  void feed(std::string_view bytes);
  // The next complete reply, if any. Throws std::runtime_error if the bytes are not the Redis protocol.
  std::optional<Reply> next();

 private:
  struct Free {
    void operator()(redisReader* reader) const noexcept;
  };
  std::unique_ptr<redisReader, Free> reader_;
};

// True if a reply is a message of a channel and not the answer to a request.
bool is_push(Reply const& reply);

}  // namespace larder::redis
