// A plain connection to a Redis of a test, on its unix socket. Each call waits for its answer.
#pragma once

#include <hiredis/hiredis.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace larder::test {

struct FreeHiredis {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
  void operator()(redisReader* reader) const { redisReaderFree(reader); }
};
using RedisAnswer = std::unique_ptr<redisReply, FreeHiredis>;

struct RedisLogin {
  std::string user = "default";
  std::string password = {};
  int database = 0;
};

class RedisSocket {
 public:
  // Succeeds even if nobody listens there: then every answer is missing.
  RedisSocket(std::string const& path, RedisLogin const& as);
  ~RedisSocket();
  RedisSocket(RedisSocket const&) = delete;
  RedisSocket& operator=(RedisSocket const&) = delete;

  // A missing answer means that the server is gone, or has not answered in time.
  RedisAnswer ask(std::vector<std::string> const& words) { return send(words) ? receive() : nullptr; }
  bool send(std::vector<std::string> const& words) const;
  RedisAnswer receive();

  // How long an answer may take. At first there is no limit. With 0, receive() returns what has already come.
  void set_patience(std::chrono::milliseconds patience);

 private:
  int fd_;
  bool open_ = false;
  int receive_flags_ = 0;
  std::unique_ptr<redisReader, FreeHiredis> reader_{redisReaderCreate()};
};

}  // namespace larder::test
