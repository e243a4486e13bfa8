#include "kit/series/blocks.hpp"

#include "base/limits.hpp"
#include "base/number.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::series {

namespace {

constexpr std::int64_t sum_base = std::int64_t(1) << 42;
constexpr std::int64_t count_max = std::int64_t(1) << 40;  // so that the sum of all counts does not overflow

struct Kind {
  char name;
  std::int64_t span_ms;
  std::int64_t width_ms;  // of a summary
};
constexpr Kind points{'p', 300'000, 1};
constexpr std::size_t points_bytes_max = 2048;  // a longer block becomes a summary
constexpr Kind kinds[] = {points, {'m', 3'600'000, 300'000}, {'h', day_ms, 3'600'000}};

// Reads the numbers of a block. After the first error, next() returns 0 and failed() is true.
class Numbers {
 public:
  explicit Numbers(std::string_view block) : rest_(block) {}

  std::string_view rest() const { return rest_; }
  bool done() const { return rest_.empty() || failed_; }
  bool failed() const { return failed_; }

  std::int64_t next() {
    constexpr std::size_t bytes_max = 8;
    std::int64_t number = 0;
    for (std::size_t i = 0; i < std::min(rest_.size(), bytes_max); ++i) {
      auto const part = static_cast<unsigned char>(rest_[i]);
      number += std::int64_t(part & 0x7f) << (7 * i);
      if (part >= 0x80) continue;
      rest_.remove_prefix(i + 1);
      if (number > limits::amount_max) break;
      return number;
    }
    failed_ = true;
    return 0;
  }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

void pack(std::string& out, std::int64_t number) {
  for (; number >= 0x80; number >>= 7) out.push_back(char(0x80 | (number & 0x7f)));
  out.push_back(char(number));
}

using Found = std::optional<std::vector<Summary>>;

Summary point(std::int64_t at, std::int64_t value) {
  return {.at = {at}, .count = 1, .sum = Sum(value), .min = value, .max = value, .last = value};
}

Found unpack_points(std::int64_t begin, Numbers numbers) {
  std::vector<Summary> found;
  auto offset = numbers.next();
  auto value = numbers.next();
  if (offset >= points.span_ms) return std::nullopt;
  found.push_back(point(begin + offset, value));
  while (!numbers.done()) {
    auto const back = numbers.next();
    auto const by = numbers.next();
    offset -= back / 2;
    value += back % 2 == 1 ? by : -by;
    if (offset < 0 || value < 0 || value > limits::amount_max) return std::nullopt;
    found.push_back(point(begin + offset, value));
  }
  if (numbers.failed()) return std::nullopt;
  return found;
}

Found unpack_summaries(Kind const& kind, std::int64_t begin, Numbers numbers) {
  std::vector<Summary> found;
  auto index_end = kind.span_ms / kind.width_ms;
  while (!numbers.done()) {
    auto const index = numbers.next();
    if (index >= index_end) return std::nullopt;
    Summary summary{.at = {begin + index * kind.width_ms}, .count = numbers.next(), .min = numbers.next()};
    summary.max = summary.min + numbers.next();
    summary.last = summary.min + numbers.next();
    summary.sum = Sum(numbers.next()) * sum_base;
    summary.sum += Sum(numbers.next());
    auto const count = Sum(summary.count);
    if (summary.count < 1 || summary.count > count_max || summary.last > summary.max ||
        summary.max > limits::amount_max || summary.sum < count * Sum(summary.min) ||
        summary.sum > count * Sum(summary.max)) {
      return std::nullopt;
    }
    index_end = index;
    found.push_back(summary);
  }
  if (numbers.failed() || found.empty()) return std::nullopt;
  return found;
}

}  // namespace

double Summary::average() const {
  auto const whole = sum / Sum(count);
  auto const rest = sum % Sum(count);
  return double(whole) + double(rest) / double(count);
}

void Summary::add(Summary const& later) {
  count += later.count;
  sum += later.sum;
  min = std::min(min, later.min);
  max = std::max(max, later.max);
  last = later.last;
}

Found unpack_block(std::string_view name, std::string_view block) {
  for (auto const& kind : kinds) {
    if (!name.starts_with(kind.name)) continue;
    auto const number = parse_int(name.substr(1));
    if (!number || *number < 0 || *number > limits::amount_max / kind.span_ms) return std::nullopt;
    auto const begin = *number * kind.span_ms;
    auto found = is_points(name) ? unpack_points(begin, Numbers(block))
                                 : unpack_summaries(kind, begin, Numbers(block));
    if (found) std::ranges::reverse(*found);
    return found;
  }
  return std::nullopt;
}

std::string points_block_name(TimeMs at) {
  return fmt::format("{}{}", points.name, at.value / points.span_ms);
}

std::optional<std::string> add_point(SeriesEnd const& end, TimeMs at, std::int64_t value) {
  auto const newest = end.newest.empty() ? at.value : parse_int(end.newest).value_or(-1);
  if (newest < 0 || newest > at.value || newest / points.span_ms != at.value / points.span_ms ||
      end.block.size() > points_bytes_max) {
    return std::nullopt;
  }
  auto const offset = at.value % points.span_ms;
  std::string block;
  block.reserve(end.block.size() + 16);
  pack(block, offset);
  pack(block, value);
  if (end.block.empty()) return block;
  Numbers before(end.block);
  auto const offset_before = before.next();
  auto const value_before = before.next();
  if (before.failed() || offset_before > offset) return std::nullopt;
  pack(block, 2 * (offset - offset_before) + (value_before > value ? 1 : 0));
  pack(block, std::abs(value - value_before));
  block += before.rest();
  return block;
}

}  // namespace larder::series
