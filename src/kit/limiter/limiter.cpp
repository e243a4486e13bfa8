#include "kit/limiter/limiter.hpp"

#include "base/error.hpp"
#include "larder_limiter_scripts.hpp"

#include <algorithm>

namespace larder::limiter {

namespace {

redis::Script const take_tokens{lua::take_tokens};
redis::Script const refund_tokens{lua::refund_tokens};

bool in_range(Bucket const& bucket) {
  auto const& rule = bucket.rule;
  return rule.tokens >= 1 && rule.tokens <= limits::bucket_tokens_max && rule.seconds >= 1 &&
         rule.seconds <= limits::bucket_seconds_max && bucket.cost >= 0 && bucket.cost <= rule.tokens;
}

redis::ScriptCall call_of(std::initializer_list<TimeMs> times, std::vector<Bucket> const& buckets) {
  LARDER_ASSERT(!buckets.empty());
  redis::ScriptCall call;
  for (auto const time : times) call.arg(time);
  for (auto const& bucket : buckets) {
    LARDER_ASSERT(in_range(bucket));
    LARDER_ASSERT(std::ranges::count(buckets, bucket.name, &Bucket::name) == 1);
    call.key(bucket.name + ":last_reset");
    call.key(bucket.name + ":tokens");
    call.arg(bucket.rule.tokens);
    call.arg(bucket.rule.seconds * 1000);
    call.arg(bucket.rule.refill == Refill::continuous);
    call.arg(bucket.cost);
  }
  return call;
}

}  // namespace

Task<Taken> Limiter::look(redis::Use use, std::vector<Bucket> buckets, TimeMs now) {
  auto const call = call_of({now}, buckets);
  auto const reply = co_await redis_.run(use, take_tokens, call);
  Taken taken{.taken = reply.at(0).integer() == 1};
  for (std::size_t i = 1; i + 2 < reply.size(); i += 3) {
    taken.levels.push_back({.tokens = reply.at(i).integer(),
                            .ready_at = {reply.at(i + 1).integer()},
                            .full_at = {reply.at(i + 2).integer()}});
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
  auto const call = call_of({now, taken_at}, buckets);
  auto const reply = co_await redis_.run(redis::Use::write, refund_tokens, call);
  std::vector<std::int64_t> given;
  for (std::size_t i = 0; i < reply.size(); ++i) given.push_back(reply.at(i).integer());
  co_return given;
}

}  // namespace larder::limiter
