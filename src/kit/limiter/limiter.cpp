#include "kit/limiter/limiter.hpp"

#include "kit/limiter/limiter_scripts.hpp"
#include "stores/redis/reply_reader.hpp"

namespace larder::limiter {

Task<Taken> Limiter::look(redis::Use use, std::vector<Bucket> buckets, TimeMs now) {
  auto const reply = co_await redis_.run(use, scripts::take_tokens(buckets, now));
  redis::ReplyReader in(reply);
  Taken taken{.taken = in.flag()};
  while (!in.at_end()) {
    taken.levels.push_back({.tokens = in.integer(), .ready_at = in.time(), .full_at = in.time()});
  }
  co_return taken;
}

Task<Taken> Limiter::take(std::vector<Bucket> buckets, TimeMs now) {
  return look(redis::Use::write, std::move(buckets), now);
}

Task<std::vector<Level>> Limiter::peek(std::vector<Bucket> buckets, TimeMs now) {
  for (auto& bucket : buckets) bucket.cost = 0;
  auto taken = co_await look(redis::Use::read, std::move(buckets), now);
  co_return std::move(taken.levels);
}

Task<std::vector<std::int64_t>> Limiter::refund(std::vector<Bucket> buckets, TimeMs taken_at, TimeMs now) {
  auto const reply = co_await redis_.run(redis::Use::write, scripts::refund_tokens(buckets, taken_at, now));
  redis::ReplyReader in(reply);
  std::vector<std::int64_t> given;
  while (!in.at_end()) given.push_back(in.integer());
  co_return given;
}

}  // namespace larder::limiter
