#include "stores/redis/reply_reader.hpp"

#include <fmt/format.h>

namespace larder::redis {

ReplyReader::ReplyReader(ReplyView reply, std::string_view script, std::size_t array)
    : reply_(reply), script_(script), array_(array), size_(reply.is_array() ? reply.size() : 1) {}

void ReplyReader::fail(std::string_view why) const {
  auto const where = array_ == 0 ? "" : fmt::format("array {} of ", array_);
  throw ReplyError(fmt::format("{}: value {} of {}the reply: {}", script_, next_ + 1, where, why));
}

ReplyView ReplyReader::peek() const {
  if (at_end()) fail("it is missing");
  return reply_.is_array() ? reply_.at(next_) : reply_;
}

template <class Read>
auto ReplyReader::take(Read read) {
  auto const value = peek();
  try {
    auto result = read(value);
    ++next_;
    return result;
  } catch (ReplyError const& error) {
    fail(error.what());
  }
}

std::int64_t ReplyReader::integer() {
  return take([](ReplyView value) { return value.integer(); });
}

bool ReplyReader::flag() {
  return take([](ReplyView value) {
    auto const number = value.integer();
    if (number != 0 && number != 1) throw ReplyError("it is neither 0 nor 1");
    return number == 1;
  });
}

std::string_view ReplyReader::text() {
  return take([](ReplyView value) { return value.text(); });
}

std::optional<std::string_view> ReplyReader::optional_text() {
  return take([](ReplyView value) {
    return value.is_nil() ? std::nullopt : std::optional<std::string_view>(value.text());
  });
}

std::optional<std::int64_t> ReplyReader::optional_integer() {
  return take([](ReplyView value) {
    bool const none = value.is_nil() || (value.is_text() && value.text().empty());
    return none ? std::nullopt : std::optional(value.integer());
  });
}

TimeMs ReplyReader::time() { return {integer()}; }

std::optional<TimeMs> ReplyReader::optional_time() {
  return optional_integer().transform([](std::int64_t ms) { return TimeMs{ms}; });
}

ReplyReader ReplyReader::array() {
  return take([this](ReplyView value) {
    if (!value.is_array()) throw ReplyError(fmt::format("it is {}, not an array", value.kind()));
    return ReplyReader(value, script_, next_ + 1);
  });
}

void ReplyReader::end() const {
  if (!at_end()) fail(fmt::format("the reply should have ended before {}", peek().kind()));
}

}  // namespace larder::redis
