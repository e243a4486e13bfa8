#include "workload.hpp"

#include <cstdlib>

namespace larder::ledger {

namespace {

std::uint64_t from_environment(char const* name, std::uint64_t otherwise) {
  char const* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  return text ? std::stoull(text) : otherwise;
}

// The thread sanitizer makes everything much slower, and it finds a race in few steps.
#if __has_feature(thread_sanitizer)
constexpr std::uint64_t steps_divisor = 3;
#else
constexpr std::uint64_t steps_divisor = 1;
#endif

}  // namespace

Account account_of(AccountKey const& key) {
  auto const& [uid, type, domain] = key;
  return {.type = type, .domain = Domain::from(domain).value(), .uid = UserId::from(uid).value()};
}

void LedgerWorkload::run(Options options) {
  Seed const seed{from_environment("LARDER_SEED", random_seed().value)};
  auto const steps = from_environment("LARDER_WORKLOAD", options.steps / steps_divisor);
  fmt::print("LARDER_SEED={} LARDER_WORKLOAD={}\n", seed.value, steps);
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  set_up(options);
  Random random(seed);
  for (int i = 0; i < client_count; ++i) {
    clients.push_back(
        std::make_unique<Client>(i, Seed{random.next()}, larders[std::size_t(i) % 2]->lane, *world));
  }
  std::atomic<std::uint64_t> progress = 0;
  std::atomic<int> running = client_count;
  for (int i = 0; i < client_count; ++i) {
    asio::co_spawn(larders[std::size_t(i) % 2]->requests, clients[std::size_t(i)]->work(steps, progress),
                   [&](std::exception_ptr failure) {
                     --running;
                     if (!failure) return;
                     try {
                       std::rethrow_exception(failure);
                     } catch (std::exception const& error) {
                       ADD_FAILURE() << error.what();
                     }
                   });
  }
  std::thread time([&] {
    Random ticks(Seed{seed.value + 1});
    while (running > 0) {
      clock.advance(std::int64_t(ticks.below(200)));
      std::this_thread::sleep_for(2ms);
    }
  });
  std::thread accountant([&] {
    while (options.one_redis && running > 0) check_closed_group();
  });
  if (options.in_the_middle) {
    EXPECT_TRUE(
        test::eventually([&] { return progress > steps * client_count / 3 || running == 0; }, run_limit));
    EXPECT_GT(running, 0);
    options.in_the_middle();
  }
  bool const ended = test::eventually([&] { return running == 0; }, run_limit);
  if (!ended) running = 0;
  time.join();
  accountant.join();
  ASSERT_TRUE(ended);
  check();
}

void LedgerWorkload::set_up(Options const& options) {
  cluster_keys = options.cluster_keys;
  for (int i = 0; i < 2; ++i) {
    larders.push_back(std::make_unique<Larder>(options.redis, options.cluster_keys, sql, clock, metrics));
    larders.back()->work.migrate_now();
    larders.back()->start();
  }
  world.reset(
      new World{.clock = clock,
                .types = {},
                .retries = metrics.counter("larder_redis_retries_total", "Redis commands sent again")});
  for (std::string const name : {"gold", "silver", "copper"}) {
    auto const type = on_lane(
        ledger().create_type({.name = name, .starts_at = {}, .ends_at = {}, .remark = {}, .created_at = {}}));
    world->types.push_back(type.value().id);
  }
  for (auto const& rate : rates()) on_lane(ledger().set_rate(rate)).value();
  for (int i = 0; i < world->closed_users; ++i) give(fmt::format("closed{}", i), closed_points, {}, {});
  for (int i = 0; i < sleepers; ++i) {
    give(fmt::format("sleeper{}", i), 5, clock.now() + 100 * i, clock.now() + 5000 + 100 * i);
  }
}

void LedgerWorkload::give(std::string const& uid, std::int64_t points, std::optional<TimeMs> effective_at,
                          std::optional<TimeMs> expires_at) {
  Entry const entry{.order_id = OrderId::from("gift").value(),
                    .op = Op::add,
                    .account = account_of({uid, world->types[0], "main"}),
                    .amount = Amount::from(points).value(),
                    .remark = "",
                    .effective_at = effective_at,
                    .expires_at = expires_at};
  gifts.push_back({entry, on_lane(ledger().post(entry)).value().outcome});
}

std::vector<Rate> LedgerWorkload::rates() const {
  auto const& types = world->types;
  return {{.from = types[0], .to = types[1], .numerator = 3, .denominator = 7},
          {.from = types[0], .to = types[2], .numerator = 2, .denominator = 1},
          {.from = types[2], .to = types[0], .numerator = 1, .denominator = 2}};
}

void LedgerWorkload::check_closed_group() {
  static constexpr std::string_view text =
      "local here, under_way = 0, 0 "
      "for i = 1, #KEYS, 2 do "
      "local worth = i <= #KEYS / 2 and 2 or 1 "
      "local points = (redis.call('GET', KEYS[i]) or 0) + (redis.call('HGET', KEYS[i + 1], 'held') or 0) "
      "here = here + worth * points "
      "under_way = under_way + worth * (redis.call('HGET', KEYS[i + 1], 'pending') or 0) "
      "end return {here, under_way}";
  std::vector<std::string> words{"EVAL", std::string(text), std::to_string(world->closed_users * 4)};
  for (auto const type : {world->types[0], world->types[2]}) {
    for (int i = 0; i < world->closed_users; ++i) {
      auto const of = keys().account(account_of({fmt::format("closed{}", i), type, "main"}));
      words.insert(words.end(), {of.balance, of.more});
    }
  }
  try {
    auto const [here, under_way] =
        on_lane([](redis::Redis& redis,
                   std::vector<std::string> args) -> Task<std::pair<std::int64_t, std::int64_t>> {
          std::vector<std::string_view> const views(args.begin(), args.end());
          auto const reply = co_await redis.command(redis::Use::read, args[3], views);
          co_return std::pair{reply.at(0).integer(), reply.at(1).integer()};
        }(larders[0]->lane.redis, words));
    auto const all = closed_worth();
    if (cluster_keys) {
      EXPECT_LE(here, all);
      EXPECT_GE(here + under_way, all);
    } else {
      EXPECT_EQ(here, all);
      EXPECT_EQ(under_way, 0);
    }
  } catch (StoreError const&) {
    // The server is being killed.
  }
  std::this_thread::sleep_for(3ms);
}

}  // namespace larder::ledger
