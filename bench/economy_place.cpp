#include "economy_place.hpp"

#include "base/number.hpp"

#include <boost/asio/use_future.hpp>

#include <filesystem>

namespace larder::bench {

namespace {

std::filesystem::path made(std::filesystem::path const& directory) {
  std::filesystem::create_directories(directory);
  return directory;
}

}  // namespace

void fill_players(std::string const& socket, std::string const& item) {
  output_of(fmt::format(
      "redis-cli -s {} EVAL \"for i = 0, {} do local p = string.format('p%012d', i) "
      "redis.call('ZADD', 'lb', 1000000, p) redis.call('HSET', p .. ':inventory', '{}', 100) end\" 0",
      socket, players - 1, item));
}

EconomyPlace::EconomyPlace(std::filesystem::path const& directory)
    : embedded_({.directory = made(directory / "redis")}),
      options_{.url = embedded_.url(), .tls_ca = {}},
      sql_("sqlite:" + (directory / "larder.db").string(), 2, metrics_),
      redis_(io_, options_, metrics_) {
  background_.emplace(io_, redis_, sql_, clock_, economy::BackgroundOptions{}, metrics_);
  background_->migrate_now();
  work_.emplace(io_.get_executor());
  thread_ = std::thread([this] { io_.run(); });
}

EconomyPlace::~EconomyPlace() {
  run(background_->stop());
  work_.reset();
  io_.stop();
  thread_.join();
}

void EconomyPlace::run(Task<void> task) { asio::co_spawn(io_, std::move(task), asio::use_future).get(); }

void EconomyPlace::fill(std::string const& item) {
  run(background_->start());
  run([](economy::Background& background, redis::Redis& redis, economy::RealmId realm) -> Task<void> {
    economy::Economy economy(redis, background.shared());
    (co_await economy.open(std::move(realm))).value();
  }(*background_, redis_, realm()));
  fill_players(socket(), item);
}

void EconomyPlace::drain() {
  run([](redis::Redis& redis) -> Task<void> {
    co_await events::caught_up(redis, "ajobus", std::chrono::minutes(10));
    co_await events::caught_up(redis, "ajobus-inventory", std::chrono::minutes(10));
  }(redis_));
}

redis::ScriptCall EconomyPlace::call(MakeCall const& make, UserId const& player, UserId const& other) {
  auto const number = parse_int<std::uint32_t>(player.str().substr(1));
  economy::RealmKeys const keys(realm());
  economy::Move const move{.realm = realm(), .player = player};
  return make(
      {.keys = keys, .catalogue = *economy::ajo_catalogue(), .move = move, .seed = number.value_or(0)},
      other);
}

double EconomyPlace::redis_benchmark(redis::ScriptCall const& call, std::int64_t count) {
  RedisBenchmark benchmark(call);
  benchmark.words.back() = "__rand_int__";  // the seed
  benchmark.socket = socket();
  benchmark.count = count;
  benchmark.in_flight = clients;
  benchmark.random_below = players;
  return bench::redis_benchmark(benchmark);
}

}  // namespace larder::bench
