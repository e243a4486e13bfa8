#include "tribes_server.hpp"

#include "http_load.hpp"
#include "server.hpp"
#include "town_socket.hpp"
#include "towns_place.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <atomic>
#include <fstream>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace larder::bench {

namespace {

constexpr int clients = 64;
constexpr int idle_sockets = 10'000;
constexpr int towns = idle_sockets + 10'000;  // those after the idle ones act
constexpr std::string_view train = R"({"type":"train","education":"chef","amount":1)";
constexpr std::string_view cancel = R"({"type":"cancel","queue":"training","index":3)";

double resident_bytes(int pid) {
  std::ifstream file(fmt::format("/proc/{}/statm", pid));
  double total = 0;
  double resident = 0;
  file >> total >> resident;
  return resident * double(::sysconf(_SC_PAGESIZE));
}

Rate actions_by_http(Server const& server, std::chrono::milliseconds time) {
  Random random(random_seed());
  return run_http_load({.port = server.port(), .connections = clients, .time = time, .next_request = [&] {
                          auto const town = town_user(idle_sockets + int(random.below(towns - idle_sockets)));
                          return server.request(
                              fmt::format("/v1/tribes/worlds/default/actions?player={}", town.str()),
                              fmt::format("{}}}", train));
                        }});
}

// Each client has a town. It trains a mouse, then cancels that training. `waits` gets the milliseconds of
// each action.
Rate actions_by_socket(Server const& server, int count, std::chrono::milliseconds time,
                       std::vector<double>* waits = nullptr) {
  asio::io_context io{1};
  std::vector<std::unique_ptr<TownSocket>> sockets;
  for (int i = 0; i < count; ++i)
    sockets.push_back(std::make_unique<TownSocket>(io, server, town_user(idle_sockets + i)));
  run_each(io, count, [&](int client) { return sockets[std::size_t(client)]->open(); });
  std::vector<std::int64_t> done(std::size_t(count), 0);
  return run_clients(io, count, time, [&](int client) -> Task<void> {
    auto const number = done[std::size_t(client)]++;
    auto const begin = std::chrono::steady_clock::now();
    co_await sockets[std::size_t(client)]->act(number % 2 == 0 ? train : cancel);
    std::chrono::duration<double, std::milli> const waited = std::chrono::steady_clock::now() - begin;
    if (waits) waits->push_back(waited.count());
  });
}

// Sockets that only listen, on a thread of their own.
class IdleSockets {
 public:
  IdleSockets(Server const& server, int count) {
    for (int i = 0; i < count; ++i)
      sockets_.push_back(std::make_unique<TownSocket>(io_, server, town_user(i)));
    constexpr int at_once = 64;
    run_each(io_, at_once, [&](int opener) -> Task<void> {
      for (int i = opener; i < count; i += at_once) co_await sockets_[std::size_t(i)]->open();
    });
    for (auto& socket : sockets_) {
      asio::co_spawn(io_, socket->listen(),
                     [this](std::exception_ptr const& error) { lost_ += error ? 1 : 0; });
    }
    thread_ = std::thread([this] {
      io_.restart();
      io_.run();
    });
  }
  ~IdleSockets() {
    io_.stop();
    thread_.join();
  }
  int lost() const { return lost_; }

 private:
  asio::io_context io_{1};
  std::vector<std::unique_ptr<TownSocket>> sockets_;
  std::atomic<int> lost_ = 0;
  std::thread thread_;
};

void measure_actions(Server const& server, int rounds, std::chrono::milliseconds time) {
  std::vector<double> http;
  std::vector<double> socket;
  for (int round = 0; round < rounds; ++round) {
    fmt::print(stderr, "actions, round {} of {}\n", round + 1, rounds);
    http.push_back(actions_by_http(server, time).per_second);
    socket.push_back(actions_by_socket(server, clients, time).per_second);
  }
  fmt::print("\nactions of players, {} clients, the journal included; medians of {} rounds\n", clients,
             rounds);
  print_figure("HTTP", median(http), "actions/s");
  print_figure("WebSocket", median(socket), "actions/s");
}

void measure_idle_sockets(Server const& server, std::chrono::milliseconds time) {
  constexpr int few = 4;
  std::vector<double> alone;
  actions_by_socket(server, few, time, &alone);
  fmt::print(stderr, "opening {} sockets\n", idle_sockets);
  auto const before = resident_bytes(server.pid());
  IdleSockets const idle(server, idle_sockets);
  std::this_thread::sleep_for(std::chrono::seconds(35));  // until every town has been updated several times
  auto const kib = (resident_bytes(server.pid()) - before) / idle_sockets / 1024;
  auto const cpu_before = cpu_seconds(server.pid());
  std::this_thread::sleep_for(std::chrono::seconds(10));
  auto const cpu = (cpu_seconds(server.pid()) - cpu_before) / 10;
  std::vector<double> beside;
  actions_by_socket(server, few, 3 * time, &beside);
  fmt::print("\n{} idle sockets, each with its own town; {} were lost\n", idle_sockets, idle.lost());
  print_limited("memory of the server per socket", kib, "KiB", 16);
  print_figure("cores of the server that they keep busy", cpu, "");
  print_figure("an action over a WebSocket without them, median", median(alone), "ms");
  print_figure("an action over a WebSocket without them, p99", percentile(alone, 99), "ms");
  print_figure("an action while they are open, median", median(beside), "ms");
  print_figure("an action while they are open, p99", percentile(beside, 99), "ms");
}

// What one login cannot do without, on as many threads as the server uses for it.
double argon2id_per_second(std::chrono::milliseconds time) {
  constexpr std::string_view password = "correct horse 17";
  std::array<char, crypto_pwhash_STRBYTES> hash = {};
  LARDER_ASSERT(sodium_init() >= 0);
  LARDER_ASSERT(crypto_pwhash_str_alg(hash.data(), password.data(), password.size(), 2, std::size_t(19) << 20,
                                      crypto_pwhash_ALG_ARGON2ID13) == 0);
  std::atomic<std::int64_t> count = 0;
  auto const end = std::chrono::steady_clock::now() + time;
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency() / 2); ++i) {
    threads.emplace_back([&] {
      while (std::chrono::steady_clock::now() < end) {
        LARDER_ASSERT(crypto_pwhash_str_verify(hash.data(), password.data(), password.size()) == 0);
        ++count;
      }
    });
  }
  threads.clear();
  return double(count) / std::chrono::duration<double>(time).count();
}

// Each sender has its own address, so that nobody is throttled.
std::string sign_in(std::string_view route, int player, int sender) {
  auto const body = fmt::format(R"({{"username":"player{}","password":"correct horse {}"}})", player, player);
  return fmt::format(
      "POST /v1/auth/{} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 10.{}.{}.{}\r\n"
      "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
      route, sender >> 16, sender >> 8 & 255, sender & 255, body.size(), body);
}

void measure_logins(Server const& server, int rounds, std::chrono::milliseconds time) {
  constexpr int connections = 4;
  int players = 0;
  int senders = 0;
  auto const load = [&](std::function<std::string()> const& next) {
    return run_http_load(
        {.port = server.port(), .connections = connections, .time = time, .next_request = next});
  };
  load([&] { return sign_in("register", players++, senders++); });
  auto const login = [&] {
    ++senders;
    return sign_in("login", senders % players, senders);
  };
  std::vector<double> logins;
  std::vector<double> bare;
  for (int round = 0; round < rounds; ++round) {
    fmt::print(stderr, "logins, round {} of {}\n", round + 1, rounds);
    bare.push_back(argon2id_per_second(time));
    logins.push_back(load(login).per_second);
  }
  fmt::print("\nlogins of {} players, {} connections; medians of {} rounds\n", players, connections, rounds);
  print_figure("argon2id alone, on as many threads", median(bare), "hashes/s");
  print_figure("logins over HTTP", median(logins), "logins/s");
  print_ratio("logins / argon2id", median_ratio(logins, bare), 0.9);
}

}  // namespace

void measure_tribes_server(std::filesystem::path const& directory, std::string const& larder, int rounds,
                           std::chrono::milliseconds time) {
  rlimit files = {};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  Server const server(larder, directory,
                      {fmt::format("server.connections_max={}", idle_sockets + 1000),
                       "accounts.behind_proxy=true", "server.access_log=false"});
  {
    asio::io_context io{1};
    Metrics metrics;
    redis::Redis redis(io, {.url = redis::parse_url("unix:" + server.redis_socket()), .tls_ca = {}}, metrics);
    found_towns(io, redis, tribes::WorldId::from(tribes::default_world).value(), towns);
  }
  measure_actions(server, rounds, time);
  measure_logins(server, rounds, time);
  measure_idle_sockets(server, time);
}

}  // namespace larder::bench
