#include "edges/api/cache/cache_commands.hpp"

#include "edges/cli/command_redis.hpp"
#include "edges/cli/progress_line.hpp"
#include "edges/cli/words.hpp"
#include "systems/cache/cache.hpp"
#include "systems/cache/maintenance.hpp"

#include <fstream>
#include <istream>

namespace larder::api {

namespace {

// Refuses to make a data directory: a command with a wrong --data would find nothing in it.
redis::Place existing_place(Config const& config, CacheValues const& values) {
  auto place = cache_place(values, config);
  if (place.url.embedded && !std::filesystem::exists(config.data)) {
    throw SetupError(
        fmt::format("there is no data directory {} here; start `larder serve` first, or use the same --data, "
                    "--redis or --config as the server",
                    config.data));
  }
  return place;
}

// The Redis of the cache, and a line that shows how many keys were looked at.
struct CacheWorkplace {
  CacheWorkplace(cli::Context& context, CacheValues const& values)
      : redis(context.config(), context.metrics(), cli::CommandRedis::If::it_runs_use_it,
              existing_place(context.config(), values)),
        setup(values.setup()) {}

  cache::Progress progress() {
    return [this](std::int64_t keys) {
      line.show(
          [&](double seconds) { return fmt::format("{} keys ({})", keys, cli::per_second(keys, seconds)); });
    };
  }

  cli::CommandRedis redis;
  cache::CacheSetup setup;
  SystemClock clock;
  cli::ProgressLine line;
};

int show_stats(cli::Context& context, CacheValues const& values) {
  CacheWorkplace at(context, values);
  auto const stats =
      cli::run_here(at.redis.io, cache::count_cache(*at.redis, at.setup.keys, at.clock, at.progress()));
  at.line.clear();
  fmt::print("{:<20} {:>12} {:>16}\n", "KIND", "OBJECTS", "BYTES");
  for (auto const& [name, kind] : stats.kinds)
    fmt::print("{:<20} {:>12} {:>16}\n", name, kind.objects, kind.bytes);
  fmt::print("\n{:<44} {:>12}\n", "EVENT", "COUNT");
  for (auto const& [name, count] : stats.events) fmt::print("{:<44} {:>12}\n", name, count);
  fmt::print("\n{:<8} {:>12} {}\n", "SHARD", "S", "AT");
  for (auto const& [number, shard] : stats.shards)
    fmt::print("{:<8} {:>12} {}\n", number, shard.sequence, to_rfc3339(shard.at));
  return 0;
}

// The value of an option. Throws if the value is wrong.
std::string checked_value(cli::Context const& context, std::string_view option,
                          std::optional<std::string> (*problem_of)(std::string_view)) {
  auto value = context.value(option);
  if (auto const wrong = problem_of(value)) throw SetupError(fmt::format("{} {}", option, *wrong));
  return value;
}

int purge(cli::Context& context, CacheValues const& values) {
  auto const version = checked_value(context, "--version", &problem_of_version_info);
  auto const prefix = context.value("--prefix").empty()
                          ? values.prefix
                          : checked_value(context, "--prefix", &problem_of_prefix);
  CacheWorkplace at(context, values);
  cache::CacheKeys const keys(prefix, version);
  auto const deleted = cli::run_here(at.redis.io, cache::purge_cache(*at.redis, keys, at.progress()));
  at.line.clear();
  fmt::print("deleted {} of {}\n", cli::counted(deleted, "key"), keys.root());
  return 0;
}

int reindex(cli::Context& context, CacheValues const& values) {
  CacheWorkplace at(context, values);
  auto const done = cli::run_here(at.redis.io, cache::reindex_cache(*at.redis, at.setup, at.progress()));
  at.line.clear();
  fmt::print("looked at {}; index entries: {} added or confirmed, {} removed\n",
             cli::counted(done.keys, "key"), done.added, done.removed);
  return 0;
}

// What was read from a file of events.
struct Imported {
  std::size_t lines = 0;
  std::size_t applied = 0;
  std::size_t failed = 0;
  std::size_t ignored = 0;  // or unknown
};

// The next non-blank lines of a file, with their numbers.
struct Portion {
  std::vector<std::string> texts;
  std::vector<std::size_t> numbers;
};

Portion read_portion(std::istream& in, std::size_t& number) {
  Portion portion;
  std::size_t bytes = 0;
  std::string line;
  while (portion.texts.size() < limits::dispatches_max && bytes < limits::bulk_body_bytes_max &&
         std::getline(in, line)) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    bytes += line.size();
    portion.texts.push_back(std::move(line));
    portion.numbers.push_back(number);
  }
  return portion;
}

Task<Imported> import_events(cache::Cache& cache, std::istream& in, cli::ProgressLine& line) {
  Imported done;
  for (;;) {
    auto const portion = read_portion(in, done.lines);
    if (portion.texts.empty()) co_return done;
    std::vector<std::string_view> const texts(portion.texts.begin(), portion.texts.end());
    auto const report = co_await cache.apply(texts);
    if (!report) throw SetupError(report.error().detail);
    for (auto const& failure : report->failed) {
      line.clear();
      fmt::print("line {}: {}\n", portion.numbers[failure.index], failure.detail);
    }
    done.applied += report->applied;
    done.failed += report->failed.size();
    done.ignored += report->ignored;
    for (auto const& [name, count] : report->unknown) done.ignored += count;
    line.show([&](double seconds) {
      return fmt::format("{} lines ({})", done.lines, cli::per_second(std::int64_t(done.lines), seconds));
    });
  }
}

int import_file(cli::Context& context, CacheValues const& values) {
  auto const file = context.value("file");
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file)) {
    throw SetupError(fmt::format("cannot read the events in {}", file));
  }
  CacheWorkplace at(context, values);
  cache::EventCounts counts;
  cache::CacheShared const shared{.setup = at.setup, .clock = at.clock, .counts = counts};
  cache::Cache cache(*at.redis, shared);
  auto const done = cli::run_here(at.redis.io, import_events(cache, in, at.line));
  at.line.clear();
  fmt::print("applied {}; {} failed, {} ignored or unknown\n", cli::counted(done.applied, "event"),
             done.failed, done.ignored);
  return done.failed == 0 ? 0 : 1;
}

}  // namespace

std::vector<cli::Command> discord_commands(CacheValues const& values) {
  auto const with_values = [&values](int (*run)(cli::Context&, CacheValues const&)) {
    return [&values, run](cli::Context& context) { return run(context, values); };
  };
  return {
      {.name = "discord",
       .summary = "Counts, deletes, repairs and fills the Discord cache",
       .example = "larder discord stats"},
      {.name = "discord stats",
       .summary = "Counts the cached objects, their memory, and the events that have come",
       .example = "larder discord stats --data /var/lib/larder",
       .run = with_values(&show_stats)},
      {.name = "discord purge",
       .summary = "Deletes every key of a version of the cache. Servers may run meanwhile",
       .example = "larder discord purge --version v0",
       .options = {{.name = "--version",
                    .help = "the version info of the keys, such as v1",
                    .required = true},
                   {.name = "--prefix", .help = "their prefix (default: the setting cache.prefix)"}},
       .run = with_values(&purge)},
      {.name = "discord reindex",
       .summary = "Makes Larder's own indexes agree with the objects, for a cache that another program\n"
                  "has filled. Servers may run meanwhile",
       .example = "larder discord reindex --redis redis://10.0.0.1:6379",
       .run = with_values(&reindex)},
      {.name = "discord import",
       .summary = "Applies the events in a file, one per line, as POST /v1/discord/events does. Prints a\n"
                  "line for each event that is malformed; the exit code is 1 if there is any",
       .example = "larder discord import events.ndjson",
       .options = {{.name = "file", .help = "the events, one JSON object per line", .required = true}},
       .run = with_values(&import_file)}};
}

}  // namespace larder::api
