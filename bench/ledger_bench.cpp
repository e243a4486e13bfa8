// What a ledger entry costs: through the library, through HTTP, beside redis-benchmark with the same script
// and seed 002's procedure. Every figure of a run comes from the same machine in the same minutes; ratios are
// what counts.
#include "base/log.hpp"
#include "http_load.hpp"
#include "kit/events/projector.hpp"
#include "ledger_bench_scripts.hpp"
#include "measure.hpp"
#include "stores/redis/embedded.hpp"
#include "systems/ledger/ledger_store.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/use_future.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <list>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace larder::bench {

namespace {

namespace fs = std::filesystem;

constexpr int clients = 64;
constexpr int users = 100'000;

struct Settings {
  fs::path directory;
  std::string larder;  // the server's binary
  int rounds = 3;
  std::chrono::milliseconds time{4000};
};

struct Figures {
  std::vector<double> redis_benchmark, library, library_1, seed, seed_1, http;
  std::vector<double> http_server_cpu_us, http_redis_cpu_us;
  std::vector<double> projected;
};

void run_on(asio::io_context& io, Task<void> task) {
  asio::co_spawn(io, std::move(task), asio::use_future).get();
}

// The ledger as a program embeds it: Redis of its own, SQLite, a projector on a thread of its own.
class Embedded {
 public:
  explicit Embedded(fs::path const& directory)
      : redis_server_({.directory = directory / "redis"}),
        sql_("sqlite:" + (directory / "larder.db").string(), 2, metrics_),
        journal_(sql_, 2),
        work_(background_.get_executor()),
        thread_([this] { background_.run(); }),
        background_redis_(background_, {.url = redis_server_.url()}, metrics_),
        projector_(
            background_, background_redis_, sql_, clock_,
            {.name = "ledger", .streams = keys_.outboxes(), .to_feed = &ledger::to_feed},
            [this](SqlSession& session, std::span<events::Event const> batch) {
              journal_.write_flows(session, batch);
            },
            metrics_),
        shared_{.keys = keys_,
                .journal = journal_,
                .clock = clock_,
                .wake_projector = [this](std::size_t outbox) { projector_.wake(outbox); }} {
    journal_.migrate_now();
    sql_.write_now([](SqlSession& session) {
      session.execute(
          "CREATE TABLE seed_flow (id INTEGER PRIMARY KEY AUTOINCREMENT, order_id VARCHAR(128) UNIQUE, uid "
          "VARCHAR(64), type_id BIGINT, domain VARCHAR(64), op INT, status INT, old_balance BIGINT, "
          "change_amount BIGINT, balance BIGINT, remark VARCHAR(256), at_ms BIGINT)");
    });
    asio::post(background_, [this] { projector_.start(); });
    ledger::Ledger ledger(background_redis_, shared_);
    run_on(background_, [](ledger::Ledger& made, ledger::TypeId& type) -> Task<void> {
      type = (co_await made.create_type({.name = "points"})).value().id;
    }(ledger, type_));
  }
  ~Embedded() {
    run_on(background_, projector_.stop());
    background_.stop();
    thread_.join();
  }
  Embedded(Embedded const&) = delete;
  Embedded& operator=(Embedded const&) = delete;

  redis::Options redis_options() const { return {.url = redis_server_.url()}; }
  std::string socket() const { return redis_server_.url().endpoints.front().host; }
  Metrics& metrics() { return metrics_; }
  // Outlives the Sql, as it must.
  asio::io_context& new_io() { return contexts_.emplace_back(1); }
  Sql& sql() { return sql_; }
  ledger::Shared& shared() { return shared_; }
  ledger::TypeId type() const { return type_; }

  // Seconds until everything that was written is in SQL.
  double drain() {
    Stopwatch const watch;
    run_on(background_, [](Embedded& self) -> Task<void> {
      for (auto const& stream : self.keys_.outboxes()) {
        co_await events::caught_up(self.background_redis_, stream, std::chrono::minutes(10));
      }
    }(*this));
    return watch.seconds();
  }

 private:
  SystemClock clock_;
  Metrics metrics_;
  std::list<asio::io_context> contexts_;
  redis::EmbeddedRedis redis_server_;
  Sql sql_;
  ledger::Journal journal_;
  ledger::Keys keys_{"", false};
  asio::io_context background_{1};
  asio::executor_work_guard<Executor> work_;
  std::thread thread_;
  redis::Redis background_redis_;
  events::Projector projector_;
  ledger::Shared shared_;
  ledger::TypeId type_ = 0;
};

class Entries {
 public:
  explicit Entries(ledger::TypeId type) : type_(type) {}
  ledger::Entry next() {
    return {.order_id = OrderId::from(fmt::format("o{:012}", random_.below(1'000'000'000'000))).value(),
            .op = ledger::Op::add,
            .account = {.type = type_,
                        .domain = Domain::from("main").value(),
                        .uid = UserId::from(fmt::format("u{:012}", random_.below(users))).value()},
            .amount = Amount::from(5).value(),
            .remark = ""};
  }

 private:
  ledger::TypeId type_;
  Random random_{random_seed()};
};

Rate library(Embedded& embedded, int in_flight, std::chrono::milliseconds time) {
  auto& io = embedded.new_io();
  redis::Redis redis(io, embedded.redis_options(), embedded.metrics());
  ledger::Ledger ledger(redis, embedded.shared());
  Entries entries(embedded.type());
  return run_clients(io, in_flight, time,
                     [&](int) -> Task<void> { (co_await ledger.post(entries.next())).value(); });
}

// The same script, the same arguments, the same number in flight on one connection.
double redis_benchmark(Embedded& embedded, std::int64_t count) {
  redis::Script const script{lua::post_entry};
  auto const sha = output_of(fmt::format("redis-cli -s {} SCRIPT LOAD \"$(cat <<'EOF'\n{}\nEOF\n)\"",
                                         embedded.socket(), script.text()));
  auto const csv = output_of(fmt::format(
      "redis-benchmark -s {} -n {} -c 1 -P {} -r {} --csv EVALSHA {} 3 '{{1}}:score_outbox:bench' "
      "'{{u__rand_int__}}:main:1:score' '{{u__rand_int__}}:o__rand_int__:score_os' "
      "add 5 1 main 604800000 0 u__rand_int__ o__rand_int__ '' 1700000000000 1 2>/dev/null",
      embedded.socket(), count, clients, users, sha.substr(0, 40)));
  output_of(fmt::format("redis-cli -s {} DEL '{{1}}:score_outbox:bench'", embedded.socket()));
  // "test","rps",...  then one line of figures; the test's name holds commas and quotes, so from the right:
  auto const line = csv.substr(csv.rfind('\n', csv.size() - 2) + 1);
  std::vector<std::string> figures;
  for (std::size_t at = line.size(); figures.size() < 7 && at != std::string::npos;) {
    auto const start = line.rfind(',', at - 1);
    figures.push_back(line.substr(start + 2, line.find('"', start + 2) - start - 2));
    at = start;
  }
  return std::stod(figures.back());
}

// Seed 002: a connection per client, one EVALSHA and its answer, then one committed INSERT.
Rate seed(Embedded& embedded, int in_flight, std::chrono::milliseconds time) {
  static redis::Script const script{lua::seed_entry};
  auto& io = embedded.new_io();
  std::vector<std::unique_ptr<redis::Redis>> connections;
  for (int i = 0; i < in_flight; ++i) {
    connections.push_back(std::make_unique<redis::Redis>(io, embedded.redis_options(), embedded.metrics()));
  }
  Entries entries(embedded.type());
  auto& sql = embedded.sql();
  return run_clients(io, in_flight, time, [&](int client) -> Task<void> {
    auto const entry = entries.next();
    auto const balance = embedded.shared().keys.balance(entry.account) + ":seed";
    auto const order = embedded.shared().keys.order(entry.account.uid, entry.order_id) + ":seed";
    std::array<std::string_view, 2> const keys{balance, order};
    std::array<std::string_view, 2> const args{"5", "604800"};
    co_await connections[std::size_t(client)]->run(redis::Use::write, script, keys, args);
    co_await sql.write([order = entry.order_id.str(), uid = entry.account.uid.str()](SqlSession& session) {
      session.execute(
          "INSERT INTO seed_flow (order_id, uid, type_id, domain, op, status, old_balance, change_amount, "
          "balance, "
          "remark, at_ms) VALUES (?, ?, 1, 'main', 1, 1, 0, 5, 5, '', 1700000000000)",
          {order, uid});
    });
  });
}

// `larder serve` as users start it.
class Server {
 public:
  Server(std::string const& binary, fs::path const& directory) : directory_(directory) {
    fs::create_directories(directory);
    auto const out = (directory / "out").string();
    auto const err = (directory / "log").string();
    auto const data = (directory / "data").string();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
      ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      ::execl(binary.c_str(), binary.c_str(), "serve", "--data", data.c_str(), "--listen", "127.0.0.1:0",
              nullptr);
      ::_exit(127);
    }
    for (int i = 0; i < 500 && port_ == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      std::ifstream in(out);
      std::string const text{std::istreambuf_iterator<char>(in), {}};
      constexpr std::string_view mark = "http://127.0.0.1:";
      if (auto const at = text.find(mark); at != std::string::npos)
        port_ = std::uint16_t(std::stoi(text.substr(at + mark.size())));
    }
    if (port_ == 0) throw std::runtime_error("the server did not start; see " + err);
    std::ifstream(directory / "data" / "admin.key") >> token_;
  }
  ~Server() {
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }
  Server(Server const&) = delete;
  Server& operator=(Server const&) = delete;

  std::string request(std::string_view path, std::string_view body) const {
    return fmt::format(
        "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {}\r\nContent-Type: "
        "application/json\r\n"
        "Content-Length: {}\r\n\r\n{}",
        path, token_, body.size(), body);
  }
  std::uint16_t port() const { return port_; }
  int pid() const { return pid_; }

 private:
  fs::path directory_;
  int pid_ = -1;
  std::uint16_t port_ = 0;
  std::string token_;
};

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

void print_figure(std::string_view name, double value, std::string_view unit = "entries/s") {
  fmt::print("  {:<58} {:>10.0f} {}\n", name, value, unit);
}

void print_ratio(std::string_view name, double ratio, double goal) {
  fmt::print("  {:<58} {:>10.2f} goal {:.1f}  {}\n", name, ratio, goal, ratio >= goal ? "reached" : "MISSED");
}

void print(Figures const& figures) {
  auto const benchmark = median(figures.redis_benchmark);
  auto const with_64 = median(figures.library);
  auto const with_1 = median(figures.library_1);
  auto const by_http = median(figures.http);
  fmt::print("\nledger entries, embedded Redis (fsync always), SQLite; medians of {} rounds\n",
             figures.http.size());
  print_figure("redis-benchmark, same script, 64 in flight", benchmark);
  print_figure("library, 64 clients", with_64);
  print_figure("library, 1 client", with_1);
  print_figure("HTTP, 64 keep-alive connections", by_http);
  print_figure("seed 002's procedure, 64 clients", median(figures.seed));
  print_figure("seed 002's procedure, 1 client", median(figures.seed_1));
  print_figure("journal: entries that reached SQL, library + backlog", median(figures.projected));
  print_figure("HTTP: CPU of the server per entry, journal included", median(figures.http_server_cpu_us),
               "us");
  print_figure("HTTP: CPU of Redis per entry", median(figures.http_redis_cpu_us), "us");
  print_ratio("library / redis-benchmark", with_64 / benchmark, 0.8);
  print_ratio("HTTP / library", by_http / with_64, 0.5);
  print_ratio("library / seed 002, 64 clients", with_64 / median(figures.seed), 5);
  print_ratio("HTTP / seed 002, 64 clients", by_http / median(figures.seed), 5);
  print_ratio("library / seed 002, 1 client", with_1 / median(figures.seed_1), 1);
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
      figures.seed.push_back(seed(embedded, clients, settings.time / 2).per_second);
      figures.seed_1.push_back(seed(embedded, 1, settings.time / 2).per_second);
    }
    Server const server(settings.larder, settings.directory / fmt::format("http{}", round));
    bool made = false;
    run_http_load(
        {.port = server.port(), .connections = 1, .time = std::chrono::milliseconds(1), .next_request = [&] {
           return server.request("/v1/ledger/types",
                                 std::exchange(made, true) ? R"({"name":"more"})" : R"({"name":"points"})");
         }});
    http(server, settings, figures);
  }
  print(figures);
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
