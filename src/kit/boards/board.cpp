#include "kit/boards/board.hpp"

#include "base/error.hpp"
#include "base/number.hpp"
#include "kit/boards/boards_scripts.hpp"

#include <algorithm>

namespace larder::boards {

namespace {

// Accepts any score, because somebody may have written it by hand.
std::int64_t whole_part(std::string_view text) {
  if (auto const number = parse_int(text)) return *number;
  constexpr double most = 0x1p62;
  double score = 0;
  std::from_chars(text.data(), text.data() + text.size(), score);
  return std::int64_t(std::clamp(score, -most, most));
}

}  // namespace

std::vector<Place> read_places(redis::ReplyReader in, std::int64_t rank) {
  std::vector<Place> places;
  while (!in.at_end()) {
    places.push_back({.rank = rank++, .member = std::string(in.text()), .score = whole_part(in.text())});
  }
  return places;
}

Task<void> Board::set(std::string member, Amount score) {
  auto const digits = std::to_string(score.value());
  co_await redis_.command(redis::Use::idempotent_write, key_, {"ZADD", key_, digits, member});
}

Task<std::optional<Amount>> Board::add(std::string member, std::int64_t by) {
  LARDER_ASSERT(by >= -limits::amount_max && by <= limits::amount_max);
  auto const reply = co_await redis_.run(redis::Use::write, scripts::add_score(key_, member, by));
  if (reply.is_nil()) co_return std::nullopt;
  co_return Amount::from(whole_part(reply.text()));
}

Task<void> Board::remove(std::string member) {
  co_await redis_.command(redis::Use::idempotent_write, key_, {"ZREM", key_, member});
}

Task<std::int64_t> Board::count() {
  auto const reply = co_await redis_.command(redis::Use::read, key_, {"ZCARD", key_});
  co_return reply.integer();
}

Task<std::vector<Place>> Board::top(std::int64_t places) {
  LARDER_ASSERT(places >= 1);
  auto const last = std::to_string(places - 1);
  auto const reply =
      co_await redis_.command(redis::Use::read, key_, {"ZREVRANGE", key_, "0", last, "WITHSCORES"});
  co_return read_places(redis::ReplyReader(reply), 1);
}

Task<std::vector<Place>> Board::around(std::string member, std::int64_t places) {
  LARDER_ASSERT(places >= 1);
  auto const reply = co_await redis_.run(redis::Use::read, scripts::read_around(key_, member, places));
  if (reply.is_nil()) co_return std::vector<Place>{};
  redis::ReplyReader in(reply);
  auto const first = in.integer();
  co_return read_places(in, first + 1);
}

Task<std::optional<Place>> Board::place(std::string member) {
  auto found = co_await around(std::move(member), 1);
  if (found.empty()) co_return std::nullopt;
  co_return std::move(found.front());
}

}  // namespace larder::boards
