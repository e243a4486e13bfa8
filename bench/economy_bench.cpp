// Measures what each kind of move of the economy costs: through the library, through HTTP, by redis-benchmark
// with the same script, and by the procedure of the original ajo bot. All figures of a run come from the same
// machine within minutes. Look at the ratios.
#include "base/log.hpp"
#include "economy_place.hpp"
#include "http_load.hpp"
#include "original_connection.hpp"
#include "server.hpp"

#include <fmt/format.h>

#include <iostream>

namespace larder::bench {

namespace {

namespace fs = std::filesystem;
using economy::Economy;
using economy::Move;

struct Settings {
  fs::path directory;
  std::string larder;  // path of the server's binary
  int rounds = 3;
  std::chrono::milliseconds time{2000};
};

// One kind of move, and the ways to make it. `player` and `other` are ids.
struct Kind {
  std::string_view name;
  std::function<Task<void>(Economy&, Move, UserId other)> library;
  std::string_view path;  // after /players/{id}
  std::function<std::string(std::string const& other)> body;
  MakeCall call;
};

std::string const bench_item = ":bone:";

std::vector<Kind> kinds() {
  using economy::Turn;
  namespace scripts = economy::scripts;
  return {
      {.name = "farm",
       .library = [](Economy& economy, Move move, UserId) -> Task<void> {
         (co_await economy.farm(std::move(move), "Player")).value();
       },
       .path = "farm",
       .body = [](std::string const&) { return std::string(R"({"name":"Player"})"); },
       .call = [](Turn const& turn, UserId const&) { return scripts::farm(turn, "Player"); }},
      {.name = "pay",
       .library = [](Economy& economy, Move move, UserId other) -> Task<void> {
         co_await economy.pay(std::move(move), std::move(other), Amount::from(1).value());
       },
       .path = "pay",
       .body = [](std::string const& other) { return fmt::format(R"({{"to":"{}","amount":1}})", other); },
       .call = [](Turn const& turn,
                  UserId const& other) { return scripts::pay(turn, other, Amount::from(1).value()); }},
      {.name = "gamble",
       .library = [](Economy& economy, Move move, UserId) -> Task<void> {
         co_await economy.gamble(std::move(move), Amount::from(10));
       },
       .path = "gamble",
       .body = [](std::string const&) { return std::string(R"({"amount":10})"); },
       .call = [](Turn const& turn, UserId const&) { return scripts::gamble(turn, Amount::from(10)); }},
      {.name = "trade",
       .library = [](Economy& economy, Move move, UserId other) -> Task<void> {
         co_await economy.trade(std::move(move), std::move(other), bench_item, 1);
       },
       .path = "trade",
       .body =
           [](std::string const& other) {
             return fmt::format(R"({{"to":"{}","item":"{}","quantity":1}})", other, bench_item);
           },
       .call =
           [](Turn const& turn, UserId const& other) {
             return scripts::trade(turn, other, *turn.catalogue.find_item(bench_item), 1);
           }},
      {.name = "inspect",
       .library = [](Economy& economy, Move move, UserId other) -> Task<void> {
         (co_await economy.inspect(std::move(move), std::move(other))).value();
       },
       .path = "inspect",
       .body = [](std::string const& other) { return fmt::format(R"({{"target":"{}"}})", other); },
       .call = [](Turn const& turn, UserId const& other) { return scripts::inspect(turn, other); }},
  };
}

struct Figures {
  std::vector<double> redis_benchmark, library, library_1, original, original_1, connections, http;
};

Rate by_library(EconomyPlace& place, Kind const& kind, int in_flight, std::chrono::milliseconds time) {
  auto& io = place.new_io();
  redis::Redis redis(io, place.redis_options(), place.metrics());
  Economy economy(redis, place.shared());
  Players players;
  return run_clients(io, in_flight, time, [&](int) {
    return kind.library(economy, {.realm = place.realm(), .player = players.next()}, players.next());
  });
}

// The original ajo bot sends a script call, waits for its answer, then sends the next one. The users share
// the one connection of the bot, or each user has a connection.
Rate by_original(EconomyPlace& place, Kind const& kind, int in_flight, int connections,
                 std::chrono::milliseconds time) {
  auto& io = place.new_io();
  OriginalConnections redis(io, place.redis_options(), place.metrics(), connections);
  Players players;
  return run_clients(io, in_flight, time, [&](int client) -> Task<void> {
    co_await redis.of(client).run(redis::Use::write, place.call(kind.call, players.next(), players.next()));
  });
}

Rate by_http(Server const& server, Kind const& kind, std::chrono::milliseconds time) {
  Players players;
  return run_http_load({.port = server.port(), .connections = clients, .time = time, .next_request = [&] {
                          return server.request(fmt::format("/v1/economy/default/players/{}/{}",
                                                            players.next().str(), kind.path),
                                                kind.body(players.next().str()));
                        }});
}

// All ways run one after the other in short slices, so that a disturbance of the machine affects them all.
// Each slice begins with a different way.
constexpr int slices = 4;

void measure(EconomyPlace& place, Kind const& kind, int slice, std::chrono::milliseconds time, Figures& of) {
  auto const seconds = std::chrono::duration<double>(time).count();
  auto const by_redis_benchmark = [&] {
    return place.redis_benchmark(place.call(kind.call, any_player, any_player),
                                 std::int64_t(of.library.back() * seconds) + 1000);
  };
  std::vector<std::function<void()>> ways = {
      [&] { of.library.push_back(by_library(place, kind, clients, time).per_second); },
      [&] { of.redis_benchmark.push_back(by_redis_benchmark()); },
      [&] { of.original.push_back(by_original(place, kind, clients, 1, time).per_second); },
      [&] { of.connections.push_back(by_original(place, kind, clients, clients, time).per_second); },
      [&] { of.library_1.push_back(by_library(place, kind, 1, time).per_second); },
      [&] { of.original_1.push_back(by_original(place, kind, 1, 1, time).per_second); },
  };
  std::ranges::rotate(ways, ways.begin() + slice);
  for (auto const& way : ways) {
    way();
    place.drain();
  }
}

void print_head() {
  fmt::print(
      "\nmoves of the economy, embedded Redis (fsync always), SQLite; moves/s, medians, and medians of the "
      "ratios\n");
  fmt::print("  {:<10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} | {:>9} {:>9} {:>9} {:>9}\n", "",
             "redis-b.", "library", "HTTP", "orig. bot", "64 conn.", "library 1", "orig. 1", "lib/rb",
             "lib/bot", "lib/conn", "lib1/o1");
}

void print(Kind const& kind, Figures const& figures) {
  auto const mark = [](double ratio, double goal) {
    return fmt::format("{:.2f}{}", ratio, ratio >= goal ? "" : "!");
  };
  fmt::print(
      "  {:<10} {:>10.0f} {:>10.0f} {:>10.0f} {:>10.0f} {:>10.0f} {:>10.0f} {:>10.0f} | {:>9} {:>9} {:>9} "
      "{:>9}\n",
      kind.name, median(figures.redis_benchmark), median(figures.library), median(figures.http),
      median(figures.original), median(figures.connections), median(figures.library_1),
      median(figures.original_1), mark(median_ratio(figures.library, figures.redis_benchmark), 0.8),
      mark(median_ratio(figures.library, figures.original), 5),
      mark(median_ratio(figures.library, figures.connections), 5),
      mark(median_ratio(figures.library_1, figures.original_1), 1));
}

void run(Settings const& settings) {
  log::configure(log::Level::warn, log::Format::text);
  fs::remove_all(settings.directory);
  auto const all = kinds();
  std::map<std::string_view, Figures> figures;
  for (int round = 0; round < settings.rounds; ++round) {
    fmt::print(stderr, "round {} of {}\n", round + 1, settings.rounds);
    {
      EconomyPlace place(settings.directory / fmt::format("library{}", round));
      place.fill(bench_item);
      for (auto const& kind : all) {
        for (int slice = 0; slice < slices; ++slice) {
          measure(place, kind, slice, settings.time / slices, figures[kind.name]);
        }
      }
    }
    Server const server(settings.larder, settings.directory / fmt::format("http{}", round));
    by_http(server, all[0], std::chrono::milliseconds(1));  // creates the realm
    fill_players(server.redis_socket(), bench_item);
    for (auto const& kind : all) {
      figures[kind.name].http.push_back(by_http(server, kind, settings.time).per_second);
    }
  }
  print_head();
  for (auto const& kind : all) {
    print(kind, figures[kind.name]);
  }
  fmt::print(
      "  64 clients each, the same script in all; of the library's events most come to SQL after its slice.\n"
      "  orig. bot: they share a connection, without pipelining; 64 conn.: one for each of them. Goals: "
      "lib/rb 0.8,\n"
      "  lib/bot and lib/conn 5, lib1/o1 (1 client each) 1; `!` marks one that was missed.\n");
  fs::remove_all(settings.directory);
}

}  // namespace

}  // namespace larder::bench

// economy_bench DIRECTORY LARDER [ROUNDS [SECONDS]]
int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: economy_bench DIRECTORY LARDER [ROUNDS [SECONDS]]\n");
    return 2;
  }
  larder::bench::Settings settings{.directory = argv[1], .larder = argv[2]};
  if (argc > 3) settings.rounds = std::stoi(argv[3]);
  if (argc > 4) settings.time = std::chrono::milliseconds(std::int64_t(std::stod(argv[4]) * 1000));
  larder::bench::run(settings);
}
