#include "kit/limiter/limiter_scripts.hpp"

#include "base/error.hpp"
#include "larder_limiter_scripts.hpp"

#include <algorithm>

namespace larder::limiter::scripts {

namespace {

bool in_range(Bucket const& bucket) {
  auto const& rule = bucket.rule;
  return rule.tokens >= 1 && rule.tokens <= limits::bucket_tokens_max && rule.seconds >= 1 &&
         rule.seconds <= limits::bucket_seconds_max && bucket.cost >= 0 && bucket.cost <= rule.tokens;
}

void add_buckets(redis::ScriptCall& call, std::span<Bucket const> buckets) {
  LARDER_ASSERT(!buckets.empty());
  for (auto const& bucket : buckets) {
    LARDER_ASSERT(in_range(bucket));
    LARDER_ASSERT(std::ranges::count(buckets, bucket.name, &Bucket::name) == 1);
    call.keys(bucket.name + ":last_reset", bucket.name + ":tokens");
    call.args(bucket.rule.tokens, bucket.rule.seconds * 1000, bucket.rule.refill == Refill::continuous,
              bucket.cost);
  }
}

}  // namespace

redis::ScriptCall take_tokens(std::span<Bucket const> buckets, TimeMs now) {
  auto call = redis::ScriptCall(lua::take_tokens).args(now);
  add_buckets(call, buckets);
  return call;
}

redis::ScriptCall refund_tokens(std::span<Bucket const> buckets, TimeMs taken_at, TimeMs now) {
  auto call = redis::ScriptCall(lua::refund_tokens).args(now, taken_at);
  add_buckets(call, buckets);
  return call;
}

}  // namespace larder::limiter::scripts
