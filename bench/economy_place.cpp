#include "economy_place.hpp"

#include <boost/asio/use_future.hpp>

#include <filesystem>

namespace larder::bench {

namespace {

std::filesystem::path made(std::filesystem::path const& directory) {
  std::filesystem::create_directories(directory);
  return directory;
}

}  // namespace

Words join(Words words, Words const& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words script_words(Words const& own_keys, std::string const& version, Words const& own_args) {
  auto const seed = own_args[0].substr(1);  // of the player's own number, so that each draws something else
  Words words{fmt::to_string(own_keys.size() + 4), "ajobus", "ajobus-inventory", "catalogue", "lb"};
  words = join(std::move(words), own_keys);
  words = join(std::move(words), {version, ""});
  words = join(std::move(words), own_args);
  return join(std::move(words), {"0", seed});
}

void fill_players(std::string const& socket, std::string const& item) {
  output_of(fmt::format(
      "redis-cli -s {} EVAL \"for i = 0, {} do local p = string.format('p%012d', i) "
      "redis.call('ZADD', 'lb', 1000000, p) redis.call('HSET', p .. ':inventory', '{}', 100) end\" 0",
      socket, players - 1, item));
}

std::string server_socket(std::filesystem::path const& data) {
  return (data / "data" / "redis" / "redis.sock").string();
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

double EconomyPlace::redis_benchmark(std::string_view script, Words const& words, std::int64_t count) {
  redis::Script const named("bench", script);
  redis::ScriptCall call(named);
  auto const keys = std::stoul(words[0]);
  for (std::size_t i = 1; i < words.size(); ++i) i <= keys ? call.key(words[i]) : call.arg(words[i]);
  return bench::redis_benchmark(
      {.socket = socket(), .call = call, .count = count, .in_flight = clients, .random_below = players});
}

}  // namespace larder::bench
