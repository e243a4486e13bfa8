// Measures what a ledger entry costs: through the library, through HTTP, by redis-benchmark with the same
// script, and by the procedure of the original points ledger. All figures of a run come from the same machine
// within minutes. Look at the ratios.
#include "base/log.hpp"
#include "bench_ledger.hpp"
#include "http_load.hpp"
#include "ledger_bench_scripts.hpp"
#include "server.hpp"

#include <fmt/format.h>

namespace larder::bench {

namespace {

namespace fs = std::filesystem;

struct Figures {
  std::vector<double> redis_benchmark, library, library_1, original, original_1, http, http_batch;
  std::vector<double> http_server_cpu_us, http_redis_cpu_us;
  std::vector<double> projected;
};

Rate library(Embedded& embedded, int in_flight, std::chrono::milliseconds time) {
  auto& io = embedded.new_io();
  redis::Redis redis(io, embedded.redis_options(), embedded.metrics());
  ledger::Ledger ledger(redis, embedded.shared());
  Entries entries(embedded.type());
  return run_clients(io, in_flight, time,
                     [&](int) -> Task<void> { (co_await ledger.post(entries.next())).value(); });
}

// The same script with the same arguments, and the same number of calls in flight on one connection.
double redis_benchmark(Embedded& embedded, std::int64_t count) {
  // The projector does not look at this stream.
  std::string const outbox = "{1}:score_outbox:bench";
  ledger::Entry const entry{.order_id = OrderId::from("o__rand_int__").value(),
                            .op = ledger::Op::add,
                            .account = {.type = 1,
                                        .domain = Domain::from("main").value(),
                                        .uid = UserId::from("u__rand_int__").value()},
                            .amount = Amount::from(5).value(),
                            .remark = ""};
  ledger::ScoreType const type{.id = 1, .name = "points"};
  ledger::Posting const posting{.entry = entry, .type = type};
  RedisBenchmark benchmark(
      ledger::scripts::post_entry(embedded.shared().keys, {&posting, 1}, TimeMs{1'700'000'000'000}));
  benchmark.words.front() = outbox;
  benchmark.socket = embedded.socket();
  benchmark.count = count;
  benchmark.in_flight = clients;
  benchmark.random_below = users;
  auto const rate = redis_benchmark(benchmark);
  output_of(fmt::format("redis-cli -s {} DEL '{}'", embedded.socket(), outbox));
  return rate;
}

// The original points ledger: each client has a connection. It sends one EVALSHA, waits for the answer, then
// commits one INSERT.
Rate by_original(Embedded& embedded, int in_flight, std::chrono::milliseconds time) {
  auto& io = embedded.new_io();
  std::vector<std::unique_ptr<redis::Redis>> connections;
  for (int i = 0; i < in_flight; ++i) {
    connections.push_back(std::make_unique<redis::Redis>(io, embedded.redis_options(), embedded.metrics()));
  }
  Entries entries(embedded.type());
  auto& sql = embedded.sql();
  return run_clients(io, in_flight, time, [&](int client) -> Task<void> {
    auto const entry = entries.next();
    auto const balance = embedded.shared().keys.balance(entry.account) + ":original";
    auto const order = embedded.shared().keys.order(entry.account.uid, entry.order_id) + ":original";
    co_await connections[std::size_t(client)]->run(
        redis::Use::write, redis::ScriptCall(lua::original_entry).keys(balance, order).args(5, 604800));
    co_await sql.write([order = entry.order_id.str(), uid = entry.account.uid.str()](sql::Session& session) {
      session.execute(
          "INSERT INTO original_flow (order_id, uid, type_id, domain, op, status, old_balance, "
          "change_amount, "
          "balance, "
          "remark, at_ms) VALUES (?, ?, 1, 'main', 1, 1, 0, 5, 5, '', 1700000000000)",
          {order, uid});
    });
  });
}

void http(Server const& server, Settings const& settings, Figures& figures) {
  Entries entries(1);
  auto const redis_pid = child_of(server.pid());
  auto const server_cpu = cpu_seconds(server.pid());
  auto const redis_cpu = cpu_seconds(redis_pid);
  auto const rate = run_http_load(
      {.port = server.port(), .connections = clients, .time = settings.time, .next_request = [&] {
         auto const entry = entries.next();
         return server.request(
             "/v1/ledger/entries",
             fmt::format(R"({{"order_id":"{}","op":"add","type":1,"domain":"main","uid":"{}","amount":5}})",
                         entry.order_id.str(), entry.account.uid.str()));
       }});
  figures.http.push_back(rate.per_second);
  figures.http_server_cpu_us.push_back((cpu_seconds(server.pid()) - server_cpu) * 1e6 / double(rate.count));
  figures.http_redis_cpu_us.push_back((cpu_seconds(redis_pid) - redis_cpu) * 1e6 / double(rate.count));
}

// Entries per second in batches of 100.
double http_batch(Server const& server, Settings const& settings) {
  Entries entries(1);
  constexpr int size = 100;
  auto const rate = run_http_load(
      {.port = server.port(), .connections = 16, .time = settings.time, .next_request = [&] {
         std::string body = R"({"mode":"continue","entries":[)";
         for (int i = 0; i < size; ++i) {
           auto const entry = entries.next();
           body += fmt::format(
               R"({}{{"order_id":"{}","op":"add","type":1,"domain":"main","uid":"{}","amount":5}})",
               i == 0 ? "" : ",", entry.order_id.str(), entry.account.uid.str());
         }
         return server.request("/v1/ledger/entries/batch", body + "]}");
       }});
  return rate.per_second * size;
}

void make_type(Server const& server) {
  bool made = false;
  run_http_load(
      {.port = server.port(), .connections = 1, .time = std::chrono::milliseconds(1), .next_request = [&] {
         return server.request("/v1/ledger/types",
                               std::exchange(made, true) ? R"({"name":"more"})" : R"({"name":"points"})");
       }});
}

void print(Figures const& figures) {
  auto const benchmark = median(figures.redis_benchmark);
  auto const with_64 = median(figures.library);
  auto const with_1 = median(figures.library_1);
  auto const by_http = median(figures.http);
  fmt::print("\nledger entries, embedded Redis (fsync always), SQLite; medians of {} rounds\n",
             figures.http.size());
  print_figure("redis-benchmark, same script, 64 in flight", benchmark, "entries/s");
  print_figure("library, 64 clients", with_64, "entries/s");
  print_figure("library, 1 client", with_1, "entries/s");
  print_figure("HTTP, 64 keep-alive connections", by_http, "entries/s");
  print_figure("HTTP, batches of 100, 16 connections", median(figures.http_batch), "entries/s");
  print_figure("the original's procedure, 64 clients", median(figures.original), "entries/s");
  print_figure("the original's procedure, 1 client", median(figures.original_1), "entries/s");
  print_figure("journal: entries that reached SQL, library + backlog", median(figures.projected),
               "entries/s");
  print_figure("HTTP: CPU of the server per entry, journal included", median(figures.http_server_cpu_us),
               "us");
  print_figure("HTTP: CPU of Redis per entry", median(figures.http_redis_cpu_us), "us");
  print_ratio("library / redis-benchmark", with_64 / benchmark, 0.8);
  print_ratio("HTTP / library", by_http / with_64, 0.5);
  print_ratio("HTTP in batches / HTTP", median(figures.http_batch) / by_http, 3);
  print_ratio("library / the original, 64 clients", with_64 / median(figures.original), 5);
  print_ratio("HTTP / the original, 64 clients", by_http / median(figures.original), 5);
  print_ratio("library / the original, 1 client", with_1 / median(figures.original_1), 1);
}

void run(Settings const& settings) {
  log::configure(log::Level::warn, log::Format::text);
  fs::remove_all(settings.directory);
  Figures figures;
  for (int round = 0; round < settings.rounds; ++round) {
    fmt::print(stderr, "round {} of {}\n", round + 1, settings.rounds);
    {
      Embedded embedded(settings.directory / fmt::format("library{}", round));
      auto const fast = library(embedded, clients, settings.time);
      figures.library.push_back(fast.per_second);
      auto const total = std::chrono::duration<double>(settings.time).count() + embedded.drain();
      figures.projected.push_back(double(fast.count) / total);
      figures.redis_benchmark.push_back(
          redis_benchmark(embedded, std::int64_t(fast.per_second * double(settings.time.count()) / 1000.0)));
      figures.library_1.push_back(library(embedded, 1, settings.time / 2).per_second);
      embedded.drain();
      figures.original.push_back(by_original(embedded, clients, settings.time / 2).per_second);
      figures.original_1.push_back(by_original(embedded, 1, settings.time / 2).per_second);
    }
    Server const server(settings.larder, settings.directory / fmt::format("http{}", round));
    make_type(server);
    http(server, settings, figures);
    figures.http_batch.push_back(http_batch(server, settings));
  }
  print(figures);
  measure_more(settings, median(figures.library));
  fs::remove_all(settings.directory);
}

}  // namespace

}  // namespace larder::bench

// ledger_bench DIRECTORY LARDER [ROUNDS [SECONDS]]
int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: ledger_bench DIRECTORY LARDER [ROUNDS [SECONDS]]\n");
    return 2;
  }
  try {
    larder::bench::Settings settings{.directory = argv[1], .larder = argv[2]};
    if (argc > 3) settings.rounds = std::stoi(argv[3]);
    if (argc > 4) settings.time = std::chrono::seconds(std::stoi(argv[4]));
    larder::bench::run(settings);
    return 0;
  } catch (std::exception const& error) {
    fmt::print(stderr, "ledger_bench: {}\n", error.what());
    return 1;
  }
}
