#include "towns_place.hpp"

#include "kit/documents/documents.hpp"
#include "systems/tribes/tribes_background.hpp"

#include <boost/asio/use_future.hpp>
#include <fmt/format.h>

namespace larder::bench {

namespace {

using tribes::Building;
using tribes::LotId;

constexpr int founders = 256;  // at once
constexpr std::chrono::seconds redis_timeout{30};
constexpr std::int64_t day_ms = 86'400'000;

std::filesystem::path made(std::filesystem::path const& directory) {
  std::filesystem::create_directories(directory);
  return directory;
}

tribes::Town busy_town(int number, tribes::GameMs at) {
  tribes::Town town{
      .user = town_user(number),
      .field = {.x = number % 110, .y = number / 110 % 110},
      .at = at,
      .coin_units = (1000 + number % 1000) * tribes::units_per_whole,
      .pizza_units = 500 * tribes::units_per_whole,
      .population = {.uneducated = 1000, .chefs = 10, .salesmice = 9, .guards = 5, .thieves = 3}};
  town.lot(LotId::at(0)) = {.building = Building::kitchen, .level = 3};
  town.lot(LotId::at(1)) = {.building = Building::shop, .level = 2};
  town.lot(LotId::at(2)) = {.building = Building::house, .level = 2};
  town.lot(LotId::at(3)) = {.building = Building::school};
  town.constructions.push_back(
      {.complete_at = at + 30 * day_ms, .lot = LotId::at(4), .building = Building::house});
  for (int i = 0; i < 3; ++i)
    town.trainings.push_back(
        {.complete_at = at + 30 * day_ms, .education = tribes::Education::guard, .amount = 2});
  return town;
}

Task<void> found(tribes::Towns& towns, tribes::World& world, int number, TimeMs now) {
  auto const info = world.info();
  auto const at = info->game_at(now);
  auto write = tribes::Towns::to_write({.town = busy_town(number, at)}, *info);
  write.revision.reset();
  auto const committed = co_await towns.commit(
      {.world = world, .world_revision = info->revision, .now = now, .at = at, .towns = {std::move(write)}},
      redis::Use::idempotent_write);
  LARDER_ASSERT(committed.done());
}

void found_all(asio::io_context& io, tribes::Towns& towns, tribes::World& world, int count,
               Clock const& clock) {
  run_each(io, 1, [&](int) -> Task<void> { co_await towns.refresh(world); });
  run_each(io, founders, [&](int founder) -> Task<void> {
    for (int i = founder; i < count; i += founders) co_await found(towns, world, i, clock.now());
  });
}

}  // namespace

UserId town_user(int number) { return UserId::from(fmt::format("t{:012}", number)).value(); }

void found_towns(asio::io_context& io, redis::Redis& redis, tribes::WorldId const& id, int towns) {
  SystemClock const clock;
  tribes::Towns writer(redis, clock);
  tribes::World world(id);
  found_all(io, writer, world, towns, clock);
}

TownsPlace::TownsPlace(std::filesystem::path const& directory, Clock const& clock, int towns)
    : clock_(clock),
      towns_(towns),
      embedded_({.directory = made(directory / "redis")}),
      options_{.url = embedded_.url(), .timeout = redis_timeout, .tls_ca = {}},
      redis_(io_, options_, metrics_),
      sql_("sqlite:" + (directory / "larder.db").string(), 1, metrics_),
      journal_(sql_),
      shared_{.journal = journal_, .clock = clock, .metrics = metrics_},
      worlds_(redis_, shared_),
      tribes_(redis_, shared_) {
  journal_.migrate_now();
  auto const id = tribes::WorldId::from("bench").value();
  run(worlds_.create(id, 1, tribes::pizza_rules())).value();
  world_ = run(tribes_.open(id)).value();
  found_all(io_, tribes_.towns(), *world_, towns, clock);
}

template <class T>
T TownsPlace::run(Task<T> task) {
  auto future = asio::co_spawn(io_, std::move(task), asio::use_future);
  while (future.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    io_.restart();
    io_.run_one();
  }
  return future.get();
}

void TownsPlace::make_due(TimeMs from, std::int64_t stretch_ms) {
  output_of(fmt::format(
      "redis-cli -s {} EVAL \"for i = 0, {} do redis.call('ZADD', KEYS[1], "
      "string.format('%.0f', {} + math.floor({} * i / {})), string.format('t%012d', i)) end\" 1 '{}'",
      socket(), towns_ - 1, from.value, stretch_ms, towns_, world_->keys.updates()));
}

Rate TownsPlace::update(int at_once, std::chrono::milliseconds time, std::vector<double>* lags) {
  std::int64_t count = 0;
  auto const update = [&](std::size_t,
                          std::vector<schedule::Claimed> members) -> Task<schedule::Scheduler::Failures> {
    auto const failures = co_await tribes::update_due(tribes_.towns(), world_, members);
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (failures[i]) std::rethrow_exception(failures[i]);
      ++count;
      if (lags) lags->push_back(double(clock_.now().value - members[i].due.value));
    }
    co_return failures;
  };
  auto options = tribes::updates_options(at_once);
  options.sets = {world_->keys.updates()};
  schedule::Scheduler scheduler(io_, redis_, clock_, options, update, metrics_);
  scheduler.start();
  auto const begin = std::chrono::steady_clock::now();
  io_.restart();
  io_.run_for(time);
  std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;
  auto const done = count;
  run(scheduler.stop());
  return {.per_second = double(done) / taken.count(), .count = done};
}

void TownsPlace::update_town(int number) {
  auto const failures = run(tribes_.towns().update(*world_, {town_user(number)}));
  if (failures[0]) std::rethrow_exception(failures[0]);
}

std::int64_t TownsPlace::bytes_of_town(int number) {
  auto const user = town_user(number);
  auto const& keys = world_->keys;
  std::int64_t bytes = 0;
  for (auto const& key :
       {keys.town(user), documents::revision_key(keys.town(user)), keys.coins(user), keys.pizzas(user)}) {
    bytes += run(redis_.command(redis::Use::read, key, {"MEMORY", "USAGE", key, "SAMPLES", "0"})).integer();
  }
  return bytes;
}

}  // namespace larder::bench
