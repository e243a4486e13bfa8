// Reads the values that a script returned, one after the other.
//
//   auto const reply = co_await redis.run(use, scripts::settle_account(...));
//   redis::ReplyReader in(reply);
//   auto const next_due = in.optional_time();
//   auto const flows = in.integer();
//   in.end();
#pragma once

#include "base/time.hpp"
#include "stores/redis/reply.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace larder::redis {

// A view: the Reply must outlive the reader and every text that the reader returns. An array is read element
// by element. Any other reply counts as one value. Every function that returns a value moves on to the next
// value. It throws ReplyError with the name of the script and the position if the reply has another shape.
class ReplyReader {
 public:
  explicit ReplyReader(Reply const& reply) : ReplyReader(reply.view(), reply.script(), 0) {}
  explicit ReplyReader(Reply&& reply) = delete;

  std::int64_t integer();
  bool flag();  // 1 or 0
  std::string_view text();
  std::optional<std::string_view> optional_text();  // nil: none
  std::optional<std::int64_t> optional_integer();   // '' or nil: none
  TimeMs time();
  std::optional<TimeMs> optional_time();  // '' or nil: none
  ReplyReader array();                    // a reader for an array inside the reply

  bool at_end() const { return next_ == size_; }
  std::size_t left() const { return size_ - next_; }
  bool is_nil() const { return peek().is_nil(); }      // the next value
  bool is_array() const { return peek().is_array(); }  // the next value
  // Throws ReplyError if a value is left.
  void end() const;

 private:
  ReplyReader(ReplyView reply, std::string_view script, std::size_t array);
  ReplyView peek() const;
  // Returns read(next value) and moves on.
  template <class Read>
  auto take(Read read);
  [[noreturn]] void fail(std::string_view why) const;

  ReplyView reply_;
  std::string_view script_;
  std::size_t array_;  // the position of this array in the reply, from 1; 0: the reply itself
  std::size_t size_;
  std::size_t next_ = 0;
};

}  // namespace larder::redis
