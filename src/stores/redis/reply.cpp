#include "stores/redis/reply.hpp"

#include "base/number.hpp"

#include <fmt/format.h>
#include <hiredis/hiredis.h>

namespace larder::redis {

namespace {

[[noreturn]] void unexpected_kind(redisReply const* reply, char const* wanted) {
  if (reply && reply->type == REDIS_REPLY_ERROR) throw ReplyError(std::string(reply->str, reply->len));
  throw ReplyError(
      fmt::format("Redis answered with {} where {} was expected", ReplyView(reply).kind(), wanted));
}

}  // namespace

bool ReplyView::is_nil() const { return reply_ && reply_->type == REDIS_REPLY_NIL; }
bool ReplyView::is_error() const { return reply_ && reply_->type == REDIS_REPLY_ERROR; }
bool ReplyView::is_array() const { return reply_ && reply_->type == REDIS_REPLY_ARRAY; }
bool ReplyView::is_text() const {
  return reply_ && (reply_->type == REDIS_REPLY_STRING || reply_->type == REDIS_REPLY_STATUS);
}

std::string_view ReplyView::text() const {
  if (is_text() || is_error()) return {reply_->str, reply_->len};
  unexpected_kind(reply_, "a string");
}

std::int64_t ReplyView::integer() const {
  if (reply_ && reply_->type == REDIS_REPLY_INTEGER) return reply_->integer;
  if (reply_ && reply_->type == REDIS_REPLY_STRING) {
    if (auto const number = parse_int({reply_->str, reply_->len})) return *number;
  }
  unexpected_kind(reply_, "an integer");
}

std::size_t ReplyView::size() const {
  if (is_nil()) return 0;
  if (!is_array()) unexpected_kind(reply_, "an array");
  return reply_->elements;
}

ReplyView ReplyView::at(std::size_t index) const {
  if (index >= size()) throw ReplyError("Redis answered with too few elements");
  return ReplyView(reply_->element[index]);
}

std::optional<std::string> ReplyView::optional_text() const {
  if (is_nil()) return std::nullopt;
  return std::string(text());
}

std::string_view ReplyView::kind() const {
  switch (reply_ ? reply_->type : 0) {
    case REDIS_REPLY_STRING: return "a string";
    case REDIS_REPLY_ARRAY: return "an array";
    case REDIS_REPLY_INTEGER: return "an integer";
    case REDIS_REPLY_NIL: return "nil";
    case REDIS_REPLY_STATUS: return "a status";
    case REDIS_REPLY_ERROR: return "an error";
    default: return "nothing";
  }
}

void Reply::Free::operator()(redisReply* reply) const noexcept { freeReplyObject(reply); }

}  // namespace larder::redis
