// Measures the Discord cache: events through the library and over HTTP, against the bare commands of Redis,
// against a writer that stores whole objects, and against discord.js, which keeps its cache in memory.
#include "base/log.hpp"
#include "base/when_all.hpp"
#include "cache_events.hpp"
#include "http_load.hpp"
#include "measure.hpp"
#include "server.hpp"
#include "stores/redis/embedded.hpp"
#include "systems/cache/cache_background.hpp"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <thread>

namespace larder::bench {

namespace {

namespace fs = std::filesystem;
using redis::Use;

constexpr int shards = 8;         // that send at the same time
constexpr int events_each = 100;  // in one call
constexpr std::string_view kinds[] = {"presence", "message",        "voice state", "member update",
                                      "reaction", "channel update", "mixed"};

struct Settings {
  fs::path directory;
  std::string larder;  // path of the server's binary
  int rounds = 3;
  std::chrono::milliseconds time{2000};
  int many_guilds = 10'000;
};

SystemClock const system_clock;

cache::CacheSetup setup() { return {.keys = {"drc", "v1"}, .keep = {}, .feed = {}}; }

// A Redis as the server starts it for the cache, and a cache on it.
class CachePlace {
 public:
  CachePlace(fs::path const& directory, CacheEvents::Size size)
      : events(size),
        embedded_({.directory = made(directory), .fsync = "everysec"}),
        redis(io, {.url = embedded_.url(), .timeout = std::chrono::seconds(30), .tls_ca = {}}, metrics),
        cache(redis, shared_) {
    for (int guild = 0; guild < size.guilds; ++guild) apply({events.guild_create(guild)});
  }

  void apply(std::vector<std::string> const& texts) {
    run_each(io, 1, [&](int) { return apply_task(texts); });
  }
  // The events are made before the time begins.
  Rate measure(std::string_view kind, std::chrono::milliseconds time) {
    std::vector<std::vector<std::vector<std::string>>> calls(shards);
    for (int shard = 0; shard < shards; ++shard) {
      events.choose_shard(shard, shards);
      for (int i = 0; i < 50; ++i) {
        auto& call = calls[std::size_t(shard)].emplace_back();
        for (int j = 0; j < events_each; ++j) call.push_back(events.of_kind(kind));
      }
    }
    std::vector<std::size_t> next(shards);
    auto rate = run_clients(io, shards, time, [&](int shard) -> Task<void> {
      auto const& own = calls[std::size_t(shard)];
      co_await apply_task(own[next[std::size_t(shard)]++ % own.size()]);
    });
    rate.per_second *= events_each;
    rate.count *= events_each;
    return rate;
  }
  std::string cli(std::string const& command) const {
    return output_of(fmt::format("redis-cli -s {} {}", socket(), command));
  }
  std::string socket() const { return embedded_.url().endpoints.front().host; }

  CacheEvents events;
  asio::io_context io{1};
  Metrics metrics;

 private:
  static fs::path made(fs::path const& directory) {
    fs::create_directories(directory);
    return directory / "redis";
  }
  Task<void> apply_task(std::vector<std::string> const& texts) {
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    auto const report = co_await cache.apply(views);
    LARDER_ASSERT(report && report->failed.empty());
  }

  redis::EmbeddedRedis embedded_;
  cache::EventCounts counts_;
  cache::CacheShared shared_{.setup = setup(), .clock = system_clock, .counts = counts_};

 public:
  redis::Redis redis;
  cache::Cache cache;
};

// The calls of each command since the statistics were reset.
std::map<std::string, double> commands_of(CachePlace const& place) {
  std::map<std::string, double> calls;
  auto const text = place.cli("info commandstats");
  for (std::size_t at = 0; (at = text.find("cmdstat_", at)) != std::string::npos;) {
    at += 8;
    auto const name = text.substr(at, text.find(':', at) - at);
    auto const count = text.find("calls=", at) + 6;
    calls[name] = std::stod(text.substr(count));
  }
  return calls;
}

// The events per second that Redis would reach if it only ran these commands, one by one, in long pipelines.
// The values have the size of an ordinary object.
double ceiling(CachePlace const& place, std::map<std::string, double> const& calls, double events) {
  std::map<std::string, std::string> const commands{
      {"set", "SET bench:__rand_int__ %s"},
      {"mset", "MSET bench:a__rand_int__ %s bench:b__rand_int__ %s"},
      {"get", "GET bench:__rand_int__"},
      {"mget", "MGET bench:a__rand_int__ bench:b__rand_int__"},
      {"hset", "HSET bench:h __rand_int__ %s"},
      {"hget", "HGET bench:h __rand_int__"},
      {"hmget", "HMGET bench:h __rand_int__"},
      {"sadd", "SADD bench:s __rand_int__"},
      {"sismember", "SISMEMBER bench:s __rand_int__"},
      {"scard", "SCARD bench:s"},
      {"zadd", "ZADD bench:z 1 __rand_int__"},
      {"zscore", "ZSCORE bench:z __rand_int__"},
      {"persist", "PERSIST bench:a__rand_int__"},
      {"unlink", "UNLINK bench:x__rand_int__"},
      {"hdel", "HDEL bench:h x__rand_int__"}};
  double seconds = 0;
  for (auto const& [name, count] : calls) {
    auto const found = commands.find(name);
    if (found == commands.end() || count < events / 1000) continue;
    auto command = found->second;
    for (std::size_t at = 0; (at = command.find("%s")) != std::string::npos;)
      command.replace(at, 2, std::string(500, 'x'));
    auto const csv =
        output_of(fmt::format("redis-benchmark -s {} -q --csv -n 60000 -c 8 -P 50 -r 10000 {} 2>/dev/null",
                              place.socket(), command));
    seconds += count / requests_per_second(csv);
  }
  return events / seconds;
}

// Stores each event as it is, under the id of its object: no parts, no lists, no merging.
double by_plain_writer(CachePlace& place, std::chrono::milliseconds time) {
  std::vector<std::pair<std::string, std::string>> writes;
  for (int i = 0; i < 20'000; ++i)
    writes.emplace_back(fmt::format("plain:{}", i % 5000), place.events.mixed());
  std::size_t next = 0;
  auto const rate = run_clients(place.io, shards, time, [&](int) -> Task<void> {
    std::vector<Task<redis::Reply>> tasks;
    std::vector<std::array<std::string_view, 3>> words(events_each);
    for (auto& each : words) {
      auto const& [key, text] = writes[next++ % writes.size()];
      each = {"SET", key, text};
      tasks.push_back(place.redis.command(Use::idempotent_write, key, each));
    }
    co_await when_all(std::move(tasks));
  });
  return rate.per_second * events_each;
}

double by_discord_js(CachePlace& place, fs::path const& directory) {
  auto const file = directory / "events.ndjson";
  std::ofstream out(file);
  for (int guild = 0; guild < place.events.size().guilds; ++guild)
    out << place.events.guild_create(guild) << '\n';
  for (int i = 0; i < 40'000; ++i) out << place.events.mixed() << '\n';
  out.close();
  return std::stod(output_of(
      fmt::format("node bench/discordjs/apply.js {} {}", file.string(), place.events.size().guilds)));
}

void compare_kinds(Settings const& settings) {
  CachePlace place(settings.directory / "kinds", {});
  std::map<std::string_view, std::vector<double>> rates;
  std::map<std::string_view, std::vector<double>> ceilings;
  std::vector<double> plain;
  std::vector<double> discord_js;
  for (int round = 0; round < settings.rounds; ++round) {
    for (auto const kind : kinds) {
      fmt::print(stderr, "{}, round {} of {}\n", kind, round + 1, settings.rounds);
      place.cli("config resetstat");
      auto const rate = place.measure(kind, settings.time);
      rates[kind].push_back(rate.per_second);
      auto const calls = commands_of(place);
      if (kind == "mixed" || kind == "presence") {
        ceilings[kind].push_back(ceiling(place, calls, double(rate.count)));
      }
    }
    plain.push_back(by_plain_writer(place, settings.time));
    discord_js.push_back(by_discord_js(place, settings.directory));
  }
  fmt::print("\nevents through the library, arrays of {}, {} at once, Redis with everysec; medians\n",
             events_each, shards);
  for (auto const kind : kinds) print_figure(kind, median(rates[kind]), "events/s");
  print_ratio("mixed events per 20 000 a second", median(rates["mixed"]) / 20'000, 1);
  print_figure("bare commands of Redis for mixed events", median(ceilings["mixed"]), "events/s");
  print_figure("library / bare commands, mixed", median_ratio(rates["mixed"], ceilings["mixed"]), "");
  print_figure("library / bare commands, presence", median_ratio(rates["presence"], ceilings["presence"]),
               "");
  print_figure("a writer of whole objects", median(plain), "events/s");
  print_figure("library / writer of whole objects", median_ratio(rates["mixed"], plain), "");
  print_figure("discord.js, in memory", median(discord_js), "events/s");
  print_figure("library / discord.js", median_ratio(rates["mixed"], discord_js), "");
}

void measure_lookups(Settings const& settings) {
  CachePlace place(settings.directory / "lookups", {});
  auto const& events = place.events;
  Random random(Seed{2});
  auto const some = [&](int below) { return int(random.below(std::uint64_t(below))); };
  for (int const count : {1, 100, 1000}) {
    auto const rate = run_clients(place.io, shards, settings.time, [&](int) -> Task<void> {
      std::vector<cache::ObjectKey> keys;
      for (int i = 0; i < count; ++i) {
        int const guild = some(events.size().guilds);
        auto const user = std::to_string(events.user_id(events.user_of(guild, some(events.size().members))));
        auto const id = std::to_string(events.guild_id(guild));
        switch (i % 3) {
          case 0: keys.push_back({cache::ObjectKind::member, id, user}); break;
          case 1: keys.push_back({cache::ObjectKind::user, "", user}); break;
          default:
            keys.push_back({cache::ObjectKind::channel, id,
                            std::to_string(events.channel_id(guild, some(events.size().channels)))});
        }
      }
      auto const found = co_await place.cache.lookup(keys);
      LARDER_ASSERT(found[0].has_value());
    });
    print_figure(fmt::format("lookups of {} objects: objects", count), rate.per_second * count, "objects/s");
  }
}

// The memory of Redis before and after, with as many objects of one kind.
void measure_memory(Settings const& settings) {
  fmt::print("\nbytes of Redis for an object, indexes included; and of its JSON\n");
  CachePlace place(settings.directory / "memory", {.guilds = 1, .members = 1});
  auto const& events = place.events;
  auto const used = [&] {
    auto const text = place.cli("info memory");
    return std::stod(text.substr(text.find("used_memory:") + 12));
  };
  auto const print = [&](std::string_view what, double before, double count, std::size_t json) {
    fmt::print("{:<12} {:6.0f} bytes, JSON {:5}\n", what, (used() - before) / count, json);
  };
  auto before = used();
  constexpr int members = 20'000;
  for (int i = 0; i < members; i += 1000) {
    std::string chunk =
        fmt::format(R"({{"t":"GUILD_MEMBERS_CHUNK","d":{{"guild_id":"{}","members":[)", events.guild_id(0));
    for (int j = 0; j < 1000; ++j) chunk += (j > 0 ? "," : "") + events.member(1'000'000 + i + j);
    place.apply({chunk + "]}}"});
  }
  print("member", before, members, events.member(1).size());
  before = used();
  constexpr int messages = 20'000;
  for (int i = 0; i < messages; i += 100) {
    std::vector<std::string> texts;
    for (int j = 0; j < 100; ++j) {
      auto const id = 1'200'000'000'000'000'000ULL + std::uint64_t(i + j) * 4'194'304ULL;
      texts.push_back(
          fmt::format(R"({{"t":"MESSAGE_CREATE","d":{}}})", events.message_object(id, 0, 0, 1'000'001)));
    }
    place.apply(texts);
  }
  print("message", before, messages, events.message_object(1, 0, 0, 1).size());
  before = used();
  constexpr int channels = 5000;
  for (int i = 0; i < channels; ++i) {
    place.apply({fmt::format(R"({{"t":"CHANNEL_CREATE","d":{}}})", events.channel(0, 100 + i))});
  }
  print("channel", before, channels, events.channel(0, 1).size());
  before = used();
  constexpr int guilds = 2000;
  CacheEvents const empty({.guilds = guilds, .members = 1, .channels = 0, .roles = 1});
  for (int i = 1; i <= guilds; ++i) place.apply({empty.guild_create(i)});
  print("guild", before, guilds, empty.guild_create(1).size());
}

void measure_large_guild(Settings const& settings) {
  CachePlace place(settings.directory / "large", {.guilds = 1, .members = 1, .channels = 500});
  place.cli("config set slowlog-log-slower-than 200");
  place.cli("config set slowlog-max-len 10000");
  auto const text = place.events.guild_create(0, 1000);
  for (int i = 0; i < 2; ++i) {  // the second one replaces what the first has stored
    place.cli("slowlog reset");
    Stopwatch const watch;
    place.apply({text});
    print_figure(fmt::format("GUILD_CREATE with 1000 members and 500 channels, {}", i == 0 ? "new" : "again"),
                 watch.seconds() * 1000, "ms");
    auto const longest = place.cli(
        "eval \"local m = 0; for _, e in ipairs(redis.call('SLOWLOG', 'GET', 10000)) do if e[3] > m then m = "
        "e[3] end end "
        "return m\" 0");
    print_limited("the longest that one call kept Redis", std::stod(longest) / 1000, "ms", 2);
  }
}

void compare_sizes(Settings const& settings) {
  fmt::print(stderr, "making {} guilds\n", settings.many_guilds);
  CacheEvents::Size const size{.guilds = 100, .members = 10, .channels = 5, .roles = 3};
  auto many_size = size;
  many_size.guilds = settings.many_guilds;
  CachePlace few(settings.directory / "few", size);
  CachePlace many(settings.directory / "many", many_size);
  for (auto* const place : {&few, &many}) {
    // Otherwise most presences would be new in many guilds, and old in few.
    for (int guild = 0; guild < place->events.size().guilds; ++guild) {
      std::vector<std::string> presences;
      for (int i = 0; i < size.members; ++i) presences.push_back(place->events.presence(guild, i));
      place->apply(presences);
    }
    // Redis may still be shortening its file.
    while (place->cli("info persistence").find("aof_rewrite_in_progress:1") != std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  std::vector<double> few_rates;
  std::vector<double> many_rates;
  for (int slice = 0; slice < 4 * settings.rounds; ++slice) {
    few_rates.push_back(few.measure("mixed", settings.time / 4).per_second);
    many_rates.push_back(many.measure("mixed", settings.time / 4).per_second);
  }
  print_figure("mixed events with 100 guilds", median(few_rates), "events/s");
  print_figure(fmt::format("mixed events with {} guilds", settings.many_guilds), median(many_rates),
               "events/s");
  print_ratio("many / few", median_ratio(many_rates, few_rates), 0.8);
}

// Requests of 100 events each. The first one makes the guilds of the others.
std::vector<std::string> requests_of(Server const& server, bool lines) {
  CacheEvents events({});
  std::vector<std::string> requests;
  for (int i = 0; i < 200; ++i) {
    std::string body;
    for (int j = 0; j < events_each; ++j) {
      body += j == 0 ? "" : lines ? "\n" : ",";
      body += i == 0 ? events.guild_create(j) : events.mixed();
    }
    requests.push_back(lines ? server.request("/v1/discord/events", body, "application/x-ndjson")
                             : server.request("/v1/discord/events", "[" + body + "]"));
  }
  return requests;
}

void measure_http(Settings const& settings) {
  Server const server(settings.larder, settings.directory / "server");
  for (bool const lines : {false, true}) {
    auto const requests = requests_of(server, lines);
    std::size_t next = 0;
    auto const rate = run_http_load(
        {.port = server.port(), .connections = shards, .time = settings.time, .next_request = [&] {
           return requests[next++ % requests.size()];
         }});
    print_figure(fmt::format("mixed events over HTTP, {} of 100", lines ? "ndjson" : "arrays"),
                 rate.per_second * events_each, "events/s");
  }
}

void run(Settings const& settings) {
  log::configure(log::Level::warn, log::Format::text);
  fs::remove_all(settings.directory);
  compare_kinds(settings);
  measure_http(settings);
  measure_lookups(settings);
  measure_memory(settings);
  measure_large_guild(settings);
  compare_sizes(settings);
  fs::remove_all(settings.directory);
}

}  // namespace

}  // namespace larder::bench

// cache_bench DIRECTORY LARDER [ROUNDS [SECONDS [GUILDS]]]
int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: cache_bench DIRECTORY LARDER [ROUNDS [SECONDS [GUILDS]]]\n");
    return 2;
  }
  larder::bench::Settings settings{.directory = argv[1], .larder = argv[2]};
  if (argc > 3) settings.rounds = std::stoi(argv[3]);
  if (argc > 4) settings.time = std::chrono::milliseconds(std::int64_t(std::stod(argv[4]) * 1000));
  if (argc > 5) settings.many_guilds = std::stoi(argv[5]);
  larder::bench::run(settings);
}
