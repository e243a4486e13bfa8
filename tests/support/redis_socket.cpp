#include "support/redis_socket.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace larder::test {

RedisSocket::RedisSocket(std::string const& path, RedisLogin const& as)
    : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  open_ = ::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  if (!as.password.empty()) ask({"AUTH", as.user, as.password});
  if (as.database != 0) ask({"SELECT", std::to_string(as.database)});
}

RedisSocket::~RedisSocket() { ::close(fd_); }

bool RedisSocket::send(std::vector<std::string> const& words) const {
  if (!open_) return false;
  auto text = "*" + std::to_string(words.size()) + "\r\n";
  for (auto const& word : words) text += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  for (std::size_t at = 0; at < text.size();) {
    auto const sent = ::send(fd_, text.data() + at, text.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    at += std::size_t(sent);
  }
  return true;
}

RedisAnswer RedisSocket::receive() {
  for (;;) {
    void* reply = nullptr;
    if (redisReaderGetReply(reader_.get(), &reply) != REDIS_OK) return nullptr;
    if (reply != nullptr) return RedisAnswer(static_cast<redisReply*>(reply));
    char bytes[16 * 1024];
    auto const got = ::recv(fd_, bytes, sizeof bytes, receive_flags_);
    if (got <= 0) return nullptr;
    redisReaderFeed(reader_.get(), bytes, std::size_t(got));
  }
}

void RedisSocket::set_patience(std::chrono::milliseconds patience) {
  receive_flags_ = patience.count() == 0 ? MSG_DONTWAIT : 0;
  timeval const limit{.tv_sec = patience.count() / 1000, .tv_usec = patience.count() % 1000 * 1000};
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

}  // namespace larder::test
