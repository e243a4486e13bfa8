// Buckets under random use, against a model that counts in exact fractions.
#include "base/random.hpp"
#include "base/when_all.hpp"
#include "kit/limiter/limiter_test.hpp"

namespace larder::limiter {
namespace {

__extension__ using Wide = __int128;

// Counts in units of 1 / period_ms of a token.
class Model {
 public:
  explicit Model(Rule const& rule)
      : capacity_(rule.tokens), period_(rule.seconds * 1000), parts_(Wide(capacity_) * period_) {}

  Taken take(std::int64_t cost, std::int64_t at) {
    parts_ = std::min(parts_ + Wide(at - at_) * capacity_, Wide(capacity_) * period_);
    at_ = at;
    bool const enough = parts_ >= Wide(cost) * period_;
    if (enough) parts_ -= Wide(cost) * period_;
    return {.taken = enough,
            .levels = {{.tokens = std::int64_t(parts_ / period_),
                        .ready_at = {start + when(cost)},
                        .full_at = {start + when(capacity_)}}}};
  }

 private:
  std::int64_t when(std::int64_t tokens) const {
    auto const missing = std::max<Wide>(Wide(tokens) * period_ - parts_, 0);
    return at_ + std::int64_t((missing + capacity_ - 1) / capacity_);
  }

  std::int64_t capacity_;
  std::int64_t period_;
  Wide parts_;
  std::int64_t at_ = 0;
};

// The time of the next take: mostly around the time of the next token, rarely so late that the
// bucket is full.
std::int64_t next_time(Random& random, Level const& last, Rule const& rule, std::int64_t at) {
  auto const per_token = rule.seconds * 1000 / rule.tokens;
  switch (random.below(8)) {
    case 0: return at;
    case 1: return at + std::int64_t(random.below(std::uint64_t(2 * per_token + 3)));
    case 2:
      return random.below(50) == 0 ? last.full_at.value - start + std::int64_t(random.below(3)) - 1 : at + 1;
    default: return std::max(at, last.ready_at.value - start + std::int64_t(random.below(3)) - 1);
  }
}

struct BusyLimiter : LimiterTest {
  BusyLimiter() : LimiterTest({.check_keys = false}) {}
};

TEST_F(BusyLimiter, nothing_drifts) {
  struct Load {
    Rule rule;
    int takes;
  };
  auto const seed = random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed.value));
  Random random(seed);
  take({1, 1}, 1, 0);  // from here on Redis knows the script, so the takes below arrive in order
  for (auto const& load :
       {Load{{7, 3, Refill::continuous}, 100'000}, Load{{100, 60, Refill::continuous}, 2000},
        Load{{999'999'937, 1'000'000'000, Refill::continuous}, 2000},
        Load{{1'000'000'000, 999'999'937, Refill::continuous}, 2000},
        Load{{999'999'937, 1, Refill::continuous}, 2000}, Load{{1'000'000'000, 1, Refill::continuous}, 2000},
        Load{{3, 1'000'000'000, Refill::continuous}, 2000}, Load{{1, 1, Refill::continuous}, 2000}}) {
    SCOPED_TRACE(fmt::format("{} in {} s", load.rule.tokens, load.rule.seconds));
    forget();
    Model model(load.rule);
    Level last;
    std::int64_t at = 0;
    Wide used = 0;
    for (int i = 0; i < load.takes;) {
      // The model knows the answers, so a take need not wait for the answer to the one before.
      std::vector<Task<Taken>> takes;
      std::vector<std::pair<Taken, std::int64_t>> expected;  // each with its time
      std::vector<std::int64_t> costs;
      for (int in_flight = 0; in_flight < 100; ++in_flight) {
        auto const most = std::uint64_t(random.below(4) == 0 ? load.rule.tokens
                                                             : std::min(load.rule.tokens, last.tokens + 2));
        costs.push_back(1 + std::int64_t(random.below(most)));
        takes.push_back(begin_take(load.rule, costs.back(), at));
        expected.emplace_back(model.take(costs.back(), at), at);
        last = expected.back().first.levels[0];
        at = next_time(random, last, load.rule, at);
      }
      auto const taken = test::run(io, when_all(std::move(takes)));
      for (std::size_t k = 0; k < taken.size(); ++k, ++i) {
        auto const& [as_expected, when] = expected[k];
        ASSERT_EQ(taken[k].taken, as_expected.taken) << "take " << i << " at " << when;
        ASSERT_EQ(taken[k].levels, as_expected.levels) << "take " << i << " at " << when;
        if (taken[k]) used += costs[k];
        ASSERT_LE(used, load.rule.tokens + Wide(when) * load.rule.tokens / (load.rule.seconds * 1000));
      }
    }
    EXPECT_GT(ttl_ms("{t}:b:tokens"), 0);
  }
}

// Token i of an empty bucket comes at exactly ceil(i * period / capacity), even if all earlier
// tokens were taken.
TEST_F(LimiterTest, every_token_comes_at_its_moment) {
  for (auto const& rule :
       {Rule{7, 1, Refill::continuous}, Rule{3, 10, Refill::continuous}, Rule{1000, 1, Refill::continuous},
        Rule{999, 1, Refill::continuous}, Rule{999'999'937, 1'000'000'000, Refill::continuous},
        Rule{999'983, 1'000'000'000, Refill::continuous}}) {
    SCOPED_TRACE(fmt::format("{} in {} s", rule.tokens, rule.seconds));
    forget();
    ASSERT_TRUE(take(rule, rule.tokens, 0));
    for (std::int64_t i = 1; i <= 1000; ++i) {
      auto const moment = std::int64_t((Wide(i) * rule.seconds * 1000 + rule.tokens - 1) / rule.tokens);
      ASSERT_FALSE(take(rule, 1, moment - 1)) << i;
      ASSERT_TRUE(take(rule, 1, moment)) << i;
    }
  }
}

// Many takers at once, on several connections, while the clock moves on. Together they get exactly what
// the rule gives.
TEST_F(LimiterTest, many_at_once_get_what_the_rule_gives_and_no_more) {
  constexpr int takers = 64;
  constexpr int rounds = 100;
  std::vector<std::unique_ptr<redis::Redis>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<redis::Redis>(
        io, redis::Options{.url = redis::parse_url(server.url()), .tls_ca = {}}, metrics));
  }
  for (auto const& rule : {Rule{100, 3, Refill::continuous}, Rule{100, 3600}}) {
    forget();
    std::int64_t now = 0;
    std::int64_t taken = 0;
    int running = takers;
    auto const work = [&](redis::Redis& client) -> Task<void> {
      Limiter mine(client);
      for (int round = 0; round < rounds; ++round) {
        now += 1;
        std::vector<Bucket> buckets{{.name = "{t}:b", .rule = rule}};
        if (co_await mine.take(std::move(buckets), {start + now})) ++taken;
      }
      --running;
    };
    for (int i = 0; i < takers; ++i) {
      asio::co_spawn(io, work(*clients[std::size_t(i) % clients.size()]), [](std::exception_ptr failure) {
        if (failure) std::rethrow_exception(failure);
      });
    }
    ASSERT_TRUE(test::eventually(io, [&] { return running == 0; }));
    while (take(rule, 1, now)) ++taken;
    auto const came = rule.refill == Refill::continuous ? (now - 1) * rule.tokens / (rule.seconds * 1000) : 0;
    EXPECT_LE(taken, rule.tokens + came);
    EXPECT_GE(taken, rule.tokens + came - 1) << "the first to arrive need not have been the first to leave";
  }
}

}  // namespace
}  // namespace larder::limiter
