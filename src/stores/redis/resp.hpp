// The Redis protocol: commands to bytes, bytes to replies.
#pragma once

#include "stores/redis/reply.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct redisReader;

namespace larder::redis {

// "*3\r\n" or "$5\r\n".
void encode_length(std::string& out, char kind, std::size_t length);

// Appends a command. hiredis' formatter would make a copy of its own.
template <class Args>
void encode(std::string& out, Args const& args) {
  encode_length(out, '*', std::size(args));
  for (std::string_view const arg : args) {
    encode_length(out, '$', arg.size());
    out.append(arg).append("\r\n");
  }
}

// Takes bytes as they come and gives whole replies.
class RespReader {
 public:
  RespReader();

  void feed(std::string_view bytes);
  // The next complete reply, if there is one. Throws std::runtime_error if the bytes are not the Redis
  // protocol.
  std::optional<Reply> next();

 private:
  struct Free {
    void operator()(redisReader* reader) const noexcept;
  };
  std::unique_ptr<redisReader, Free> reader_;
};

// Whether a reply is a message of a channel, which nobody has asked for.
bool is_push(Reply const& reply);

}  // namespace larder::redis
