#include "support/redis_cli.hpp"

#include <hiredis/hiredis.h>

#include <memory>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace larder::test {

namespace {

using Answer = std::unique_ptr<redisReply, decltype([](redisReply* reply) { freeReplyObject(reply); })>;

class Connection {
 public:
  explicit Connection(std::string const& socket) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socket.copy(address.sun_path, sizeof address.sun_path - 1);
    open_ = ::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~Connection() { ::close(fd_); }
  Connection(Connection const&) = delete;
  Connection& operator=(Connection const&) = delete;

  // Null if the server is gone.
  Answer ask(std::vector<std::string> const& words) { return open_ && send(words) ? receive() : nullptr; }

 private:
  bool send(std::vector<std::string> const& words) const {
    auto text = "*" + std::to_string(words.size()) + "\r\n";
    for (auto const& word : words) text += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    for (std::size_t at = 0; at < text.size();) {
      auto const sent = ::send(fd_, text.data() + at, text.size() - at, MSG_NOSIGNAL);
      if (sent <= 0) return false;
      at += std::size_t(sent);
    }
    return true;
  }
  Answer receive() {
    for (;;) {
      void* reply = nullptr;
      if (redisReaderGetReply(reader_.get(), &reply) != REDIS_OK) return nullptr;
      if (reply != nullptr) return Answer(static_cast<redisReply*>(reply));
      char bytes[16 * 1024];
      auto const got = ::recv(fd_, bytes, sizeof bytes, 0);
      if (got <= 0) return nullptr;
      redisReaderFeed(reader_.get(), bytes, std::size_t(got));
    }
  }

  int fd_;
  bool open_ = false;
  std::unique_ptr<redisReader, decltype([](redisReader* reader) { redisReaderFree(reader); })> reader_{
      redisReaderCreate()};
};

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
  Connection connection(socket);
  if (!as.password.empty()) connection.ask({"AUTH", as.user, as.password});
  if (as.database != 0) connection.ask({"SELECT", std::to_string(as.database)});
  auto const answer = connection.ask(words);
  return answer ? printed(*answer) : "Could not connect to Redis at " + socket;
}

}  // namespace larder::test
