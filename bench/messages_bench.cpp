// Measures what a selection costs: through the library, through HTTP, and by the procedure of the original
// message selector, for users with few and with many messages. All figures of a run come from the same
// machine within minutes. Look at the ratios.
#include "base/log.hpp"
#include "http_load.hpp"
#include "measure.hpp"
#include "original_connection.hpp"
#include "server.hpp"
#include "stores/redis/embedded.hpp"
#include "systems/messages/messages_background.hpp"

#include <boost/asio/use_future.hpp>
#include <fmt/format.h>

#include <list>
#include <set>
#include <thread>

namespace larder::bench {

namespace {

namespace fs = std::filesystem;
using namespace messages;

constexpr int clients = 64;
constexpr int users = 8;
constexpr std::int64_t sizes[] = {10, 100, 1'000, 10'000};

struct Settings {
  fs::path directory;
  std::string larder;  // path of the server's binary
  int rounds = 3;
  std::chrono::milliseconds time{2000};
};

UserId user(std::int64_t size, int number) {
  return UserId::from(fmt::format("u{}-{}", size, number)).value();
}

class Users {
 public:
  explicit Users(std::int64_t size) : size_(size) {}
  UserId next() { return user(size_, int(random_.below(users))); }

 private:
  std::int64_t size_;
  Random random_{random_seed()};
};

// For each size, makes all users with that many messages. Their tokens practically never run out.
void fill(sql::Database& sql) {
  MessageTable(sql).migrate_now();
  sql.write_now([](sql::Session& session) {
    std::int64_t version = 0;
    std::vector<sql::Values> rows;
    std::vector<sql::Values> owners;
    for (auto const size : sizes) {
      for (int number = 0; number < users; ++number) {
        for (std::int64_t i = 0; i < size; ++i) {
          rows.push_back({"What may be said to a user, the " + fmt::to_string(i) + "th",
                          std::string("author"), user(size, number).str(), std::int64_t(1),
                          limits::bucket_tokens_max, limits::bucket_seconds_max, std::int64_t(0),
                          std::int64_t(0), std::int64_t(0), ++version});
        }
        owners.push_back({user(size, number).str(), version});
      }
    }
    session.bulk_insert("message",
                        {"text", "author_id", "target_id", "active", "tokens", "seconds", "continuous",
                         "created_at_ms", "changed_at_ms", "version"},
                        rows);
    session.bulk_insert("message_user", {"user_id", "version"}, owners);
    session.execute("UPDATE message_clock SET version = ?", {version});
  });
}

class Place {
 public:
  explicit Place(fs::path const& directory)
      : embedded_({.directory = made(directory / "redis")}),
        options_{.url = embedded_.url(), .tls_ca = {}},
        sql_("sqlite:" + (directory / "larder.db").string(), 4, metrics_),
        redis_(io_, options_, metrics_),
        background_(io_, redis_, sql_, clock_, metrics_),
        work_(io_.get_executor()),
        thread_([this] { io_.run(); }) {
    fill(sql_);
    asio::post(io_, [this] { background_.start(); });
  }
  ~Place() {
    asio::co_spawn(io_, background_.stop(), asio::use_future).get();
    io_.stop();
    thread_.join();
  }
  Place(Place const&) = delete;
  Place& operator=(Place const&) = delete;

  redis::Options const& redis_options() const { return options_; }
  Metrics& metrics() { return metrics_; }
  Shared& shared() { return background_.shared(); }
  MessageTable& table() { return background_.shared().table; }
  // The io_context outlives the Sql object, as it must.
  asio::io_context& new_io() { return contexts_.emplace_back(1); }

 private:
  static fs::path made(fs::path const& directory) {
    fs::create_directories(directory);
    return directory;
  }

  Metrics metrics_;
  std::list<asio::io_context> contexts_;
  redis::EmbeddedRedis embedded_;
  redis::Options options_;
  SystemClock clock_;
  asio::io_context io_{1};
  sql::Database sql_;
  redis::Redis redis_;
  Background background_;
  asio::executor_work_guard<Executor> work_;
  std::thread thread_;
};

Rate by_library(Place& place, std::int64_t size, int in_flight, std::chrono::milliseconds time) {
  auto& io = place.new_io();
  redis::Redis redis(io, place.redis_options(), place.metrics());
  Messages messages(redis, place.shared());
  Users of(size);
  return run_clients(io, in_flight, time, [&](int) -> Task<void> {
    if (!(co_await messages.select(of.next())).message) throw std::runtime_error("nothing was selected");
  });
}

// Sends every message once, so that the benchmark measures the order and not the first round.
void send_each_once(Place& place, std::int64_t size) {
  auto& io = place.new_io();
  redis::Redis redis(io, place.redis_options(), place.metrics());
  Messages messages(redis, place.shared());
  run_each(io, users, [&](int number) -> Task<void> {
    for (std::int64_t i = 0; i < size; ++i) co_await messages.select(user(size, number));
  });
}

// The original message selector loads a user's messages into memory. After that, each command is one round
// trip. The original leaves the refill as a to-do; here it works as the original describes it.
class OriginalSelector {
 public:
  OriginalSelector(OriginalConnection& redis, std::string key, std::vector<MessageId> const& available,
                   Random& random)
      : redis_(redis), key_(std::move(key)), available_(available), random_(random) {}

  Task<bool> select(std::int64_t now_s) {
    auto const sent = co_await redis_.command(redis::Use::read, key_, {"ZRANGE", key_, "0", "-1"});
    std::set<MessageId> never(available_.begin(), available_.end());
    for (std::size_t i = 0; i < sent.size(); ++i) never.erase(sent.at(i).integer());
    if (!never.empty()) {
      auto const id = *std::next(never.begin(), std::int64_t(random_.below(never.size())));
      if (co_await may_send(id, now_s)) co_return co_await send(id, now_s);
    }
    for (std::size_t i = 0; i < sent.size(); ++i) {
      auto const id = sent.at(i).integer();
      if (co_await may_send(id, now_s)) co_return co_await send(id, now_s);
    }
    co_return false;
  }

 private:
  Task<bool> may_send(MessageId id, std::int64_t now_s) {
    auto const last_reset = fmt::format("{}:{}:last_reset", key_, id);
    auto const tokens = fmt::format("{}:{}:tokens", key_, id);
    auto const reset = co_await redis_.command(redis::Use::read, key_, {"GET", last_reset});
    if (reset.is_nil() || now_s - reset.integer() > limits::bucket_seconds_max) {
      auto const now = fmt::to_string(now_s);
      auto const full = fmt::to_string(limits::bucket_tokens_max);
      co_await redis_.command(redis::Use::write, key_, {"SET", last_reset, now});
      co_await redis_.command(redis::Use::write, key_, {"SET", tokens, full});
    }
    auto const left = co_await redis_.command(redis::Use::read, key_, {"GET", tokens});
    if (left.is_nil() || left.integer() < 1) co_return false;
    co_await redis_.command(redis::Use::write, key_, {"DECR", tokens});
    co_return true;
  }
  Task<bool> send(MessageId id, std::int64_t now_s) {
    auto const now = fmt::to_string(now_s);
    auto const member = fmt::to_string(id);
    co_await redis_.command(redis::Use::write, key_, {"ZADD", key_, now, member});
    co_return true;
  }

  OriginalConnection& redis_;
  std::string key_;
  std::vector<MessageId> const& available_;
  Random& random_;
};

std::string original_key(UserId const& user) { return "original:" + user.str(); }

Task<std::vector<MessageId>> ids_of(Place& place, UserId of, std::int64_t size) {
  std::vector<MessageId> ids;
  for (auto const& message : co_await place.table().list({.target = of, .limit = size})) {
    ids.push_back(message.id);
  }
  co_return ids;
}

enum class Loads { for_each_selection, once };

Rate by_original(Place& place, std::int64_t size, int in_flight, int connections, Loads loads,
                 std::chrono::milliseconds time) {
  auto& io = place.new_io();
  OriginalConnections redis(io, place.redis_options(), place.metrics(), connections);
  std::map<UserId, std::vector<MessageId>> in_memory;
  run_each(io, users, [&](int number) -> Task<void> {
    in_memory[user(size, number)] = co_await ids_of(place, user(size, number), size);
  });
  Users of(size);
  Random random(random_seed());
  SystemClock const clock;
  return run_clients(io, in_flight, time, [&](int client) -> Task<void> {
    auto const id = of.next();
    auto const messages = loads == Loads::once ? in_memory.at(id) : co_await ids_of(place, id, size);
    OriginalSelector selector(redis.of(client), original_key(id), messages, random);
    // Selects nothing if another client came between its steps.
    co_await selector.select(clock.now().value / 1000);
  });
}

// The same for the original: its keys as they are after its first round.
void send_each_once_by_original(Place& place, std::int64_t size) {
  redis::Script const script{"send_each_once",
                             "for i = 3, #ARGV do "
                             "  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[i]) "
                             "  redis.call('SET', KEYS[1] .. ':' .. ARGV[i] .. ':last_reset', ARGV[1]) "
                             "  redis.call('SET', KEYS[1] .. ':' .. ARGV[i] .. ':tokens', ARGV[2]) "
                             "end"};
  auto& io = place.new_io();
  redis::Redis redis(io, place.redis_options(), place.metrics());
  run_each(io, users, [&](int number) -> Task<void> {
    auto const of = user(size, number);
    auto call = redis::ScriptCall(script).keys(original_key(of));
    call.args(SystemClock().now().value / 1000, limits::bucket_tokens_max);
    for (auto const id : co_await ids_of(place, of, size)) call.args(id);
    co_await redis.run(redis::Use::write, std::move(call));
  });
}

// The same script for one user, with the same number of calls in flight on one connection. This
// is what Redis can do, or a little less: the time is constant here, so the script has to find a
// free time for each selection.
double by_redis_benchmark(Place& place, std::int64_t size, std::int64_t count) {
  IndexKeys const keys(user(size, 0));
  auto const now = SystemClock().now();
  RedisBenchmark benchmark(scripts::select_message(keys, now, now.value * 1000, 7));
  benchmark.socket = place.redis_options().url.endpoints.front().host;
  benchmark.count = count;
  benchmark.in_flight = clients;
  return redis_benchmark(benchmark);
}

Rate by_http(Server const& server, std::int64_t size, std::chrono::milliseconds time) {
  Users of(size);
  return run_http_load({.port = server.port(), .connections = clients, .time = time, .next_request = [&] {
                          return server.request("/v1/messages/select",
                                                fmt::format(R"({{"user_id":"{}"}})", of.next().str()));
                        }});
}

// Sends practically every message once: the users are drawn at random.
void send_each_once(Server const& server, std::int64_t size) {
  constexpr auto at_a_time = std::chrono::milliseconds(100);
  std::int64_t const enough = size * users * 11 / 10;
  for (std::int64_t sent = 0; sent < enough;) sent += by_http(server, size, at_a_time).count;
}

struct Figures {
  std::vector<double> redis_benchmark, library, library_1, http, original, bot, original_1, in_memory;
};

std::string mark(double ratio, bool reached) { return fmt::format("{:.2f}{}", ratio, reached ? "" : "!"); }

void print(std::map<std::int64_t, Figures> const& figures) {
  fmt::print(
      "\nselections/s, embedded Redis (fsync always), SQLite, {} users, 64 clients, medians, and medians of "
      "the ratios\n",
      users);
  fmt::print(
      "  {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} | {:>8} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
      "messages", "redis-b.", "library", "HTTP", "original", "orig. bot", "in memory", "library 1", "orig. 1",
      "lib/rb", "lib/orig", "HTTP/orig", "lib/bot", "lib/mem.", "lib1/o1");
  auto const goal_5 = [](double ratio) { return mark(ratio, ratio >= 5); };
  for (auto const& [size, of] : figures) {
    auto const original = median(of.original);
    auto const http = median(of.http);
    fmt::print(
        "  {:>8} {:>9.0f} {:>9.0f} {:>9.0f} {:>9.0f} {:>9.0f} {:>9.0f} {:>9.0f} {:>9.0f} | "
        "{:>8.2f} {:>9} {:>9} {:>9} {:>9.2f} {:>9.2f}\n",
        size, median(of.redis_benchmark), median(of.library), http, original, median(of.bot),
        median(of.in_memory), median(of.library_1), median(of.original_1),
        median_ratio(of.library, of.redis_benchmark), goal_5(median_ratio(of.library, of.original)),
        goal_5(http / original), goal_5(median_ratio(of.library, of.bot)),
        median_ratio(of.library, of.in_memory), median_ratio(of.library_1, of.original_1));
  }
  auto const growth = median_ratio(figures.at(sizes[3]).library, figures.at(sizes[0]).library);
  fmt::print("  library, 10 000 messages / 10 messages: {}; goal 0.75 to 1.25\n",
             mark(growth, growth >= 0.75 && growth <= 1.25));
  fmt::print(
      "  redis-b.: the same script for one user. original: loads a user's messages, then a round trip per "
      "command; 64\n"
      "  connections. in memory: with the messages in memory already. orig. bot: 64 clients share one "
      "connection. Goals:\n"
      "  5 times original and orig. bot. library 1, orig. 1: 1 client each.\n"
      "  `!` marks a goal that was missed.\n");
}

// All ways run one after the other in short slices, so that a disturbance of the machine affects them all.
// Each slice begins with a different way.
constexpr int slices = 4;

void measure(Place& place, std::int64_t size, int slice, std::chrono::milliseconds time, Figures& of) {
  auto const seconds = std::chrono::duration<double>(time).count();
  // One selection of the original takes seconds for a user with many messages.
  auto const original_time = size < 1'000 ? time : slices * time;
  auto const original = [&](int in_flight, int connections, Loads loads, std::chrono::milliseconds lasting) {
    return by_original(place, size, in_flight, connections, loads, lasting).per_second;
  };
  auto const by_benchmark = [&] {
    return by_redis_benchmark(place, size, std::int64_t(of.library.back() * seconds) + 1000);
  };
  std::vector<std::function<void()>> ways = {
      [&] { of.library.push_back(by_library(place, size, clients, time).per_second); },
      [&] { of.redis_benchmark.push_back(by_benchmark()); },
      [&] { of.original.push_back(original(clients, clients, Loads::for_each_selection, original_time)); },
      [&] { of.in_memory.push_back(original(clients, clients, Loads::once, time)); },
      [&] { of.bot.push_back(original(clients, 1, Loads::for_each_selection, original_time)); },
      [&] { of.library_1.push_back(by_library(place, size, 1, time).per_second); },
      [&] { of.original_1.push_back(original(1, 1, Loads::for_each_selection, original_time)); },
  };
  std::ranges::rotate(ways, ways.begin() + slice);
  for (auto const& way : ways) way();
}

void run(Settings const& settings) {
  log::configure(log::Level::warn, log::Format::text);
  fs::remove_all(settings.directory);
  std::map<std::int64_t, Figures> figures;
  for (int round = 0; round < settings.rounds; ++round) {
    fmt::print(stderr, "round {} of {}\n", round + 1, settings.rounds);
    {
      Place place(settings.directory / fmt::format("library{}", round));
      for (auto const size : sizes) {
        send_each_once(place, size);
        send_each_once_by_original(place, size);
      }
      for (int slice = 0; slice < slices; ++slice) {
        for (auto const size : sizes) {
          measure(place, size, slice, settings.time / slices, figures[size]);
        }
      }
    }
    auto const directory = settings.directory / fmt::format("http{}", round);
    fs::create_directories(directory / "data");
    {
      Metrics metrics;
      sql::Database sql("sqlite:" + (directory / "data" / "larder.db").string(), 1, metrics);
      fill(sql);
    }
    Server const server(settings.larder, directory);
    for (auto const size : sizes) send_each_once(server, size);
    for (auto const size : sizes)
      figures[size].http.push_back(by_http(server, size, settings.time).per_second);
  }
  print(figures);
  fs::remove_all(settings.directory);
}

}  // namespace

}  // namespace larder::bench

// messages_bench DIRECTORY LARDER [ROUNDS [SECONDS]]
int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: messages_bench DIRECTORY LARDER [ROUNDS [SECONDS]]\n");
    return 2;
  }
  larder::bench::Settings settings{.directory = argv[1], .larder = argv[2]};
  if (argc > 3) settings.rounds = std::stoi(argv[3]);
  if (argc > 4) settings.time = std::chrono::milliseconds(std::int64_t(std::stod(argv[4]) * 1000));
  larder::bench::run(settings);
}
