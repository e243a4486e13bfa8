#include "stores/redis/resp.hpp"

#include <fmt/format.h>
#include <hiredis/hiredis.h>

#include <array>
#include <charconv>
#include <stdexcept>

namespace larder::redis {

void encode_length(std::string& out, char kind, std::size_t length) {
  std::array<char, 24> line{kind};
  auto* const end = std::to_chars(line.begin() + 1, line.end(), length).ptr;
  out.append(line.data(), end).append("\r\n");
}

void RespReader::Free::operator()(redisReader* reader) const noexcept { redisReaderFree(reader); }

RespReader::RespReader() : reader_(redisReaderCreate()) {}

void RespReader::feed(std::string_view bytes) { redisReaderFeed(reader_.get(), bytes.data(), bytes.size()); }

std::optional<Reply> RespReader::next() {
  void* raw = nullptr;
  if (redisReaderGetReply(reader_.get(), &raw) != REDIS_OK) {
    throw std::runtime_error(fmt::format("not the Redis protocol: {}", reader_->errstr));
  }
  if (!raw) return std::nullopt;
  return Reply(static_cast<redisReply*>(raw));
}

bool is_push(Reply const& reply) {
  if (!reply.view().is_array() || reply.size() < 3) return false;
  auto const kind = reply.at(0).text();
  return kind == "message" || kind == "pmessage";
}

}  // namespace larder::redis
