#include "edges/http/rate_limit.hpp"

#include <fmt/format.h>

namespace larder::http {

namespace {

std::int64_t seconds_up(std::int64_t ms) { return (ms + 999) / 1000; }

}  // namespace

RateLimit::RateLimit(redis::Redis& redis, Clock const& clock, limiter::Rule rule)
    : limiter_(redis),
      clock_(clock),
      rule_(rule),
      policy_(fmt::format(R"("requests";q={};w={})", rule.tokens, rule.seconds)) {}

std::string RateLimit::bucket_name(std::string_view caller, std::string_view operation) {
  return fmt::format("larder:rate:{{{}}}:{}", caller, operation);
}

Task<RateLimit::Verdict> RateLimit::count(Route const& route, Request const& request) {
  return count(request.caller->id, route.doc.id);
}

Task<RateLimit::Verdict> RateLimit::count(std::string caller, std::string_view operation) {
  auto const now = clock_.now();
  auto const taken = co_await take({.name = bucket_name(caller, operation), .rule = rule_}, now);
  auto const& level = taken.levels.at(0);
  auto const left = [&](std::int64_t seconds) {
    return fmt::format(R"("requests";r={};t={})", level.tokens, seconds);
  };
  if (taken) co_return Verdict{.left = left(seconds_up(level.full_at - now)), .refused = {}};

  auto const wait_s = std::max<std::int64_t>(seconds_up(level.ready_at - now), 1);
  co_return Verdict{.left = left(wait_s),
                    .refused = Error{.code = errors::rate_limited,
                                     .detail = fmt::format("a key may call this {} times in {} s",
                                                           rule_.tokens, rule_.seconds),
                                     .more = {{"retry_after_s", wait_s}}}};
}

Task<limiter::Taken> RateLimit::take(limiter::Bucket bucket, TimeMs now) {
  try {
    std::vector<limiter::Bucket> buckets{std::move(bucket)};
    co_return co_await limiter_.take(std::move(buckets), now);
  } catch (StoreError const& error) {
    throw StoreError(error.what(), false, error.store());
  }
}

}  // namespace larder::http
