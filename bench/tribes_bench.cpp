// Measures the updater of the tribes: against the loop of the original Pizza Tribes game, against BullMQ,
// with few and with many towns, and when many towns are due at once. tribes_server.cpp measures the server.
#include "base/log.hpp"
#include "base/when_all.hpp"
#include "systems/tribes/town.hpp"
#include "systems/tribes/town_document.hpp"
#include "systems/tribes/tribes_background.hpp"
#include "towns_place.hpp"
#include "tribes_server.hpp"

#include <fmt/format.h>

namespace larder::bench {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using redis::Use;

struct Settings {
  fs::path directory;
  std::string larder;  // path of the server's binary
  int rounds = 3;
  std::chrono::milliseconds time{2000};
  int many_towns = 1'000'000;
};

SystemClock const system_clock;

// One round of the original updater: ZRANGE, ZREM, WATCH, GET, compute, then MULTI, SET, EXEC in one go, and
// ZADD for the next update and for the leaderboard. The original also writes two time series, which this loop
// leaves out. Returns whether a town was updated.
Task<bool> original_update(redis::Redis& redis, tribes::World& world) {
  auto const& keys = world.keys;
  auto const updates = keys.updates();
  auto const first = co_await redis.command(Use::read, updates, {"ZRANGE", updates, "0", "0", "WITHSCORES"});
  auto const now = system_clock.now();
  if (first.size() != 2 || first.at(1).integer() > now.value) co_return false;
  std::string const member(first.at(0).text());
  if ((co_await redis.command(Use::write, updates, {"ZREM", updates, member})).integer() == 0)
    co_return false;
  auto const user = UserId::from(member).value();
  auto const key = keys.town(user);
  co_await redis.command(Use::write, key, {"WATCH", key});
  auto const text = co_await redis.command(Use::read, key, {"GET", key});
  auto const info = world.info();
  auto town = tribes::from_document(text.text(), user).value();
  advance(town, *info, std::max(town.at, info->game_at(now)));
  auto const made = to_document(town, now.value / 1000);
  std::string_view const multi[] = {"MULTI"};
  std::string_view const set[] = {"SET", key, made};
  std::string_view const exec[] = {"EXEC"};
  std::vector<Task<redis::Reply>> commands;
  commands.push_back(redis.command(Use::write, key, multi));
  commands.push_back(redis.command(Use::write, key, set));
  commands.push_back(redis.command(Use::write, key, exec));
  bool const written = !(co_await when_all(std::move(commands)))[2].is_nil();
  auto const due = fmt::to_string(info->clock.real_at(next_due(town, info->rules(), false, 1000)).value);
  co_await redis.command(Use::write, updates, {"ZADD", updates, due, member});
  auto const leaderboard = keys.leaderboard();
  co_await redis.command(Use::write, leaderboard,
                         {"ZADD", leaderboard, fmt::to_string(town.coins()), member});
  co_return written;
}

double by_original(TownsPlace& place, int workers, std::chrono::milliseconds time) {
  asio::io_context io{1};
  std::vector<std::unique_ptr<redis::Redis>> connections;
  for (int i = 0; i < workers; ++i)
    connections.push_back(std::make_unique<redis::Redis>(io, place.redis_options(), place.metrics()));
  std::int64_t updated = 0;
  run_clients(io, workers, time, [&](int worker) -> Task<void> {
    updated += co_await original_update(*connections[std::size_t(worker)], place.world());
  });
  return double(updated) / std::chrono::duration<double>(time).count();
}

double by_bullmq(TownsPlace const& place, int jobs, int at_once) {
  return std::stod(
      output_of(fmt::format("node bench/bullmq/delayed_jobs.js {} {} {}", place.socket(), jobs, at_once)));
}

// Larder updates as many towns at once as a server does. BullMQ is measured with that many jobs at once, and
// with 64.
void compare_updaters(Settings const& settings) {
  constexpr int at_once = tribes::updates_at_once_default;
  std::vector<double> larder, larder_1, original_1, original_64, bullmq_64, bullmq_many;
  TownsPlace place(settings.directory / "updater", system_clock, 100'000);
  auto const update = [&](int towns_at_once) {
    place.make_due({1}, 1);
    return place.update(towns_at_once, settings.time).per_second;
  };
  auto const original = [&](int workers) {
    place.make_due({1}, 1);
    return by_original(place, workers, settings.time);
  };
  for (int round = 0; round < settings.rounds; ++round) {
    fmt::print(stderr, "updaters, round {} of {}\n", round + 1, settings.rounds);
    larder.push_back(update(at_once));
    auto const jobs =
        std::max(1000, int(larder.back() * std::chrono::duration<double>(settings.time).count() / 2));
    bullmq_64.push_back(by_bullmq(place, jobs, 64));
    bullmq_many.push_back(by_bullmq(place, jobs, at_once));
    original_64.push_back(original(64));
    original_1.push_back(original(1));
    larder_1.push_back(update(1));
  }
  fmt::print("\nupdates of towns, 100 000 towns due, embedded Redis (fsync always); medians\n");
  print_figure(fmt::format("Larder, {} at once", at_once), median(larder), "updates/s");
  print_figure("Larder, 1 at once", median(larder_1), "updates/s");
  print_figure("the original's loop, 64 workers", median(original_64), "updates/s");
  print_figure("the original's loop, 1 worker", median(original_1), "updates/s");
  print_figure("BullMQ, delayed jobs with an empty handler, 64 at once", median(bullmq_64), "jobs/s");
  print_figure(fmt::format("BullMQ, {} at once", at_once), median(bullmq_many), "jobs/s");
  print_ratio("Larder / the original's loop, 1 worker", median_ratio(larder, original_1), 10);
  print_ratio("Larder / the original's loop, 64 workers", median_ratio(larder, original_64), 3);
  print_ratio("Larder / BullMQ, 64 at once", median_ratio(larder, bullmq_64), 2);
  print_ratio(fmt::format("Larder / BullMQ, {} at once", at_once), median_ratio(larder, bullmq_many), 2);
  print_figure("Larder, 1 at once / the original's loop, 1 worker", median_ratio(larder_1, original_1), "");
}

void compare_sizes(Settings const& settings) {
  constexpr int few_towns = 10'000;
  fmt::print(stderr, "founding {} towns\n", settings.many_towns);
  TownsPlace few(settings.directory / "few", system_clock, few_towns);
  TownsPlace many(settings.directory / "many", system_clock, settings.many_towns);
  std::vector<double> few_rates;
  std::vector<double> many_rates;
  constexpr int slices = 4;
  for (int slice = 0; slice < slices * settings.rounds; ++slice) {
    few.make_due({1}, 1);
    few_rates.push_back(few.update(tribes::updates_at_once_default, settings.time / slices).per_second);
    many.make_due({1}, 1);
    many_rates.push_back(many.update(tribes::updates_at_once_default, settings.time / slices).per_second);
  }
  fmt::print("\nfew towns and many\n");
  print_figure(fmt::format("updates with {} towns", few_towns), median(few_rates), "updates/s");
  print_figure(fmt::format("updates with {} towns", settings.many_towns), median(many_rates), "updates/s");
  print_ratio("many / few", median_ratio(many_rates, few_rates), 0.8);
}

void measure_lag(Settings const& settings) {
  constexpr int towns = 100'000;
  constexpr std::int64_t stretch_ms = 60'000;
  TownsPlace place(settings.directory / "lag", system_clock, towns);
  fmt::print(stderr, "{} towns are due within a minute\n", towns);
  std::vector<double> lags;
  place.make_due(system_clock.now() + 1000, stretch_ms);
  place.update(tribes::updates_at_once_default, std::chrono::milliseconds(stretch_ms + 5000), &lags);
  fmt::print("\n{} towns due within a minute: {} updated\n", towns, lags.size());
  print_figure("from due to updated, median", percentile(lags, 50), "ms");
  print_figure("from due to updated, p99", percentile(lags, 99), "ms");
  print_figure("from due to updated, longest", percentile(lags, 100), "ms");
}

// The town is updated for a week of a clock that jumps from update to update.
void measure_memory(Settings const& settings) {
  constexpr std::int64_t week_ms = 7 * 86'400'000LL;
  fmt::print("\nmemory of a town after a week\n");
  for (auto const& [what, every_ms] : {std::pair("nobody watches: an update every 15 minutes", 900'000),
                                       std::pair("somebody always watches: an update every 10 s", 10'000)}) {
    fmt::print(stderr, "a week of a town: {}\n", what);
    TestClock clock({1'767'225'600'000});
    TownsPlace place(settings.directory / fmt::format("memory{}", every_ms), clock, 1);
    for (std::int64_t passed = 0; passed < week_ms; passed += every_ms) {
      clock.advance(every_ms);
      place.update_town(0);
    }
    print_limited(what, double(place.bytes_of_town(0)) / 1024, "KiB", 80);
  }
}

void run(Settings const& settings) {
  log::configure(log::Level::warn, log::Format::text);
  fs::remove_all(settings.directory);
  compare_updaters(settings);
  measure_tribes_server(settings.directory / "server", settings.larder, settings.rounds, settings.time);
  measure_memory(settings);
  measure_lag(settings);
  compare_sizes(settings);
  fs::remove_all(settings.directory);
}

}  // namespace

}  // namespace larder::bench

// tribes_bench DIRECTORY LARDER [ROUNDS [SECONDS [TOWNS]]]
int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: tribes_bench DIRECTORY LARDER [ROUNDS [SECONDS [TOWNS]]]\n");
    return 2;
  }
  larder::bench::Settings settings{.directory = argv[1], .larder = argv[2]};
  if (argc > 3) settings.rounds = std::stoi(argv[3]);
  if (argc > 4) settings.time = std::chrono::milliseconds(std::int64_t(std::stod(argv[4]) * 1000));
  if (argc > 5) settings.many_towns = std::stoi(argv[5]);
  larder::bench::run(settings);
}
