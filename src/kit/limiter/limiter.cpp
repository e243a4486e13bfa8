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

// Keys and arguments of a script, which live until it has answered.
class Words {
 public:
  Words(std::initializer_list<TimeMs> times, std::vector<Bucket> const& buckets) {
    LARDER_ASSERT(!buckets.empty());
    for (auto const time : times) args_.push_back(std::to_string(time.value));
    for (auto const& bucket : buckets) {
      LARDER_ASSERT(in_range(bucket));
      LARDER_ASSERT(std::ranges::count(buckets, bucket.name, &Bucket::name) == 1);
      keys_.push_back(bucket.name + ":last_reset");
      keys_.push_back(bucket.name + ":tokens");
      args_.push_back(std::to_string(bucket.rule.tokens));
      args_.push_back(std::to_string(bucket.rule.seconds * 1000));
      args_.emplace_back(bucket.rule.refill == Refill::continuous ? "1" : "0");
      args_.push_back(std::to_string(bucket.cost));
    }
  }
  std::vector<std::string_view> keys() const { return {keys_.begin(), keys_.end()}; }
  std::vector<std::string_view> args() const { return {args_.begin(), args_.end()}; }

 private:
  std::vector<std::string> keys_;
  std::vector<std::string> args_;
};

}  // namespace

Task<Taken> Limiter::look(redis::Use use, std::vector<Bucket> buckets, TimeMs now) {
  Words const words({now}, buckets);
  auto const keys = words.keys();
  auto const args = words.args();
  auto const reply = co_await redis_.run(use, take_tokens, keys, args);
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
  Words const words({now, taken_at}, buckets);
  auto const keys = words.keys();
  auto const args = words.args();
  auto const reply = co_await redis_.run(redis::Use::write, refund_tokens, keys, args);
  std::vector<std::int64_t> given;
  for (std::size_t i = 0; i < reply.size(); ++i) given.push_back(reply.at(i).integer());
  co_return given;
}

}  // namespace larder::limiter
