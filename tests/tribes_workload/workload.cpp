#include "tribes_workload/workload.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace larder::tribes {

namespace {

constexpr auto run_limit = std::chrono::seconds(900);

std::uint64_t from_environment(char const* name, std::uint64_t otherwise) {
  char const* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  return text ? std::stoull(text) : otherwise;
}

}  // namespace

void TribesWorkload::run(Options options) {
  seed = {from_environment("LARDER_SEED", random_seed().value)};
  options.steps = from_environment("LARDER_WORKLOAD", options.steps);
  fmt::print("LARDER_SEED={} LARDER_WORKLOAD={}\n", seed.value, options.steps);
  SCOPED_TRACE(fmt::format("LARDER_SEED={}", seed.value));
  random = Random(seed);
  set_up(options);
  for (std::uint64_t round = 0; round < options.rounds; ++round) {
    play(options, round == options.rounds / 2);
    if (HasFatalFailure()) return;
    check(round + 1 == options.rounds);
    if (HasFailure()) return;
  }
}

void TribesWorkload::set_up(Options const& options) {
  TribesJournal(sql).migrate_now();
  redis_options = options.redis;
  redis.emplace(io, options.redis, metrics);
  game.emplace(WorldId::from("w").value());
  keys.emplace(game->world);
  for (std::uint64_t i = 0; i < options.players; ++i) {
    game->players.push_back(UserId::from(fmt::format("p{:03}", i)).value());
  }
  for (std::uint64_t i = 0; i < options.clients; ++i) {
    clients.push_back(std::make_unique<Client>(int(i), Seed{random.next()}, *game));
  }
  auto const requests = options.clients * options.steps;
  oper = std::make_unique<Operator>(Seed{random.next()}, *game,
                                    Operator::Options{.rules = {options.rules, options.other_rules},
                                                      .speeds = {workload_speed, 50, 3000},
                                                      .ruins_max = options.players / 20,
                                                      .every = std::max<std::uint64_t>(requests / 60, 50)});
  for (std::size_t i = 0; i < servers.size(); ++i) start(i);
  auto const created =
      servers[0]->begin(servers[0]->worlds.create(game->world, workload_speed, options.rules)).get();
  ASSERT_TRUE(created) << created.error().detail;
}

void TribesWorkload::start(std::size_t server) {
  servers[server] = std::make_unique<Server>(*redis_options, sql, clock, metrics);
  for (std::size_t i = server; i < clients.size(); i += servers.size()) {
    if (clients[i]->busy) servers[server]->spawn(clients[i]->work(servers[server]->tribes));
  }
  if (oper->busy && oper_at == server) servers[server]->spawn(oper->work(servers[server]->worlds));
}

void TribesWorkload::kill(std::vector<std::size_t> const& victims, std::int64_t outage_ms) {
  killed += std::ssize(victims);
  for (auto const victim : victims) servers[victim].reset();
  clock.advance(outage_ms);
  for (auto const victim : victims) start(victim);
}

bool TribesWorkload::anybody_plays() const {
  return std::ranges::any_of(clients, [](auto const& client) { return client->busy.load(); });
}

void TribesWorkload::wake() {
  for (auto& server : servers) server->wake(game->world, clock.now());
}

// Mostly small steps, so that much is on its way when a large one comes.
std::int64_t TribesWorkload::random_step_ms() {
  auto const dice = random.below(1000);
  auto const up_to = dice < 850   ? 10
                     : dice < 970 ? 100
                     : dice < 992 ? 2'000
                     : dice < 998 ? 60'000
                                  : 4 * 3'600'000;
  return 1 + std::int64_t(random.below(std::uint64_t(up_to)));
}

void TribesWorkload::play(Options const& options, bool day_of_outage) {
  auto const steps = options.steps / options.rounds;
  auto const end = game->progress + steps * clients.size();
  std::multiset<std::uint64_t> kills;  // by progress
  for (std::uint64_t i = 0; i < options.kills / options.rounds; ++i) {
    kills.insert(game->progress + random.below(end - game->progress));
  }
  auto outage_at = day_of_outage ? game->progress + random.below(end - game->progress) : end;
  auto verify_at = game->progress + random.below(end - game->progress);
  for (auto& client : clients) client->give(steps);
  oper->wanted = oper->busy = true;
  oper_at = random.below(servers.size());
  for (std::size_t i = 0; i < servers.size(); ++i) {
    servers[i]->begin(servers[i]->stop()).get();
    start(i);
  }
  auto const deadline = std::chrono::steady_clock::now() + run_limit;
  while (anybody_plays()) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "the clients do not come to an end";
    auto const next = game->progress + random.below(40);
    auto const patience = std::chrono::steady_clock::now() + 10ms;
    while (game->progress < next && std::chrono::steady_clock::now() < patience) {
      std::this_thread::sleep_for(200us);
    }
    clock.advance(random_step_ms());
    wake();
    if (random.chance(1, 8)) check_due();
    auto const progress = game->progress.load();
    if (progress >= verify_at) {
      verify_at = end;
      check_verify();
    }
    if (progress >= outage_at) {
      outage_at = end;
      kill({0, 1}, day_ms);
    } else if (!kills.empty() && progress >= *kills.begin()) {
      kills.erase(kills.begin());
      auto const first = random.below(2);
      kill(random.chance(1, 4) ? std::vector<std::size_t>{0, 1} : std::vector<std::size_t>{first},
           std::int64_t(random.below(50)));
    }
  }
  oper->wanted = false;
  ASSERT_TRUE(test::eventually([&] { return !oper->busy; }));
}

redis::Reply TribesWorkload::command(redis::Redis& to, std::vector<std::string> words) {
  return test::run(io, [](redis::Redis& there, std::vector<std::string> sent) -> Task<redis::Reply> {
    std::vector<std::string_view> const views(sent.begin(), sent.end());
    auto const key = sent[0] == "EVAL" ? views[3] : views[1];
    co_return co_await there.command(redis::Use::read, key, views);
  }(to, std::move(words)));
}

}  // namespace larder::tribes
