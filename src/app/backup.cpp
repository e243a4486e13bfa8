#include "app/backup.hpp"

#include "app/external_stores.hpp"
#include "app/local_redis.hpp"
#include "app/server.hpp"
#include "base/error.hpp"
#include "edges/cli/progress_bar.hpp"
#include "edges/cli/words.hpp"
#include "kit/backup/manifest.hpp"
#include "kit/backup/unfinished_directory.hpp"
#include "kit/events/outbox_positions.hpp"
#include "kit/presence/presence.hpp"
#include "stores/redis/rdb_copy.hpp"
#include "stores/sql/sqlite_copy.hpp"
#include "stores/sql/url.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <sys/stat.h>

namespace larder {

namespace fs = std::filesystem;

namespace {

constexpr auto look_every = std::chrono::milliseconds(100);
constexpr auto begin_patience = std::chrono::minutes(10);  // Redis may be rewriting a large file
constexpr auto positions_patience = std::chrono::seconds(5);

fs::path sqlite_file(Config const& config) { return sql::parse_url(config.sql_url()).connect; }
fs::path wal_file(Config const& config) { return sqlite_file(config).concat("-wal"); }

// The subdirectories of the data directory with an embedded Redis of one system, such as redis-cache.
std::vector<std::string> redis_of_systems(fs::path const& data) {
  std::vector<std::string> found;
  for (auto const& entry : fs::directory_iterator(data)) {
    auto const name = entry.path().filename().string();
    bool const is_redis = !backup::redis_directory_of(backup::rdb_of(name)).empty();
    if (is_redis && name != backup::redis_name && entry.is_directory()) found.push_back(name);
  }
  std::ranges::sort(found);
  return found;
}

// Two backups at once would use the same file in the directory of Redis.
class OnlyBackup {
 public:
  explicit OnlyBackup(Config const& config) : lock_(config.data_path("larder.backup.lock").string()) {
    if (!lock_.try_lock()) throw SetupError(fmt::format("another backup of {} is running", config.data));
  }

 private:
  sql::FileLock lock_;
};

class Backup {
 public:
  Backup(cli::Context& context, Settings const& settings, fs::path const& goal)
      : config_(context.config()),
        metrics_(context.metrics()),
        settings_(settings),
        only_(config_),
        sqlite_(sqlite_file(config_).string()),
        out_(goal, ".unfinished"),
        redis_(config_, metrics_, std::string(backup::redis_name), data_dir_) {}

  void run() {
    refuse_unhealthy();
    auto const others = redis_of_systems(config_.data);
    redis::RdbCopy copy(*redis_, redis_.directory());
    refuse_without_space(redis_, copy);
    begin(redis_, copy, [&] {
      auto frozen = sqlite_.freeze();
      manifest_.made_at = SystemClock{}.now();
      return frozen;
    });
    take(redis_, copy, std::string(backup::redis_name));
    take_database();
    for (auto const& name : others) take_if_possible(name);
    manifest_.version = version;
    for (auto const& setting : settings_) manifest_.settings[setting.name] = setting.toml();
    backup::write_manifest(out_.path(), manifest_);
    out_.finish();
  }

  backup::Manifest const& manifest() const { return manifest_; }

 private:
  // A backup of stores that have lost something would look like a good one.
  void refuse_unhealthy() {
    auto const closed_for = cli::run_here(redis_.io, presence::closed_for(*redis_));
    if (!closed_for.empty()) {
      throw SetupError(fmt::format(
          "this Redis is being rebuilt, or a rebuild was cut off ({}); nothing was backed up", closed_for));
    }
    sql::Database sql(config_.sql_url(), 1, metrics_);
    std::vector<std::string> outboxes;
    try {
      outboxes = sql.read_now(events::known_outboxes);
    } catch (sql::StatementError const&) {
      return;  // no server has ever worked on this database
    }
    auto const deadline = std::chrono::steady_clock::now() + positions_patience;
    for (;;) {
      try {
        cli::run_here(redis_.io, compare(sql, outboxes));
        return;
      } catch (SetupError const& error) {
        // A realm that is being deleted loses its outbox in Redis first, and then in SQL.
        if (std::chrono::steady_clock::now() > deadline)
          throw SetupError(fmt::format("nothing was backed up: {}", error.what()));
      }
      std::this_thread::sleep_for(look_every);
      outboxes = sql.read_now(events::known_outboxes);
    }
  }

  Task<bool> compare(sql::Database& sql, std::vector<std::string> outboxes) {
    co_await events::compare_positions_or_refuse(*redis_, sql, std::move(outboxes));
    co_return true;
  }

  // A full disk stops the embedded Redis, so a backup must not fill it.
  void refuse_without_space(LocalRedis& redis, redis::RdbCopy& copy) {
    auto const redis_bytes = cli::run_here(redis.io, copy.bytes_at_most());
    std::error_code unknown;
    auto const sql_bytes = fs::file_size(sqlite_file(config_), unknown) +
                           (fs::exists(wal_file(config_)) ? fs::file_size(wal_file(config_), unknown) : 0);
    bool const same = device_of(config_.data) == device_of(out_.path());
    backup::refuse_if_full(config_.data, redis_bytes + (same ? sql_bytes : 0));
    if (!same) backup::refuse_if_full(out_.path(), redis_bytes + sql_bytes);
  }
  static ::dev_t device_of(fs::path const& path) {
    struct ::stat info{};
    return ::stat(path.c_str(), &info) == 0 ? info.st_dev : 0;
  }

  // `freeze` returns a lock that is held while Redis begins.
  template <class Freeze>
  static void begin(LocalRedis& redis, redis::RdbCopy& copy, Freeze freeze) {
    auto const deadline = std::chrono::steady_clock::now() + begin_patience;
    cli::ProgressBar bar("waiting until Redis has written another file");
    for (;;) {
      {
        [[maybe_unused]] auto const frozen = freeze();
        if (cli::run_here(redis.io, copy.begin())) return;
      }
      if (std::chrono::steady_clock::now() > deadline)
        throw StoreError("Redis has been writing another file for ten minutes", false);
      bar.show(0, 0);
      std::this_thread::sleep_for(look_every);
    }
  }

  // Waits for the copy of a Redis that has begun, and moves it into the backup.
  void take(LocalRedis& redis, redis::RdbCopy& copy, std::string const& name) {
    auto const file = backup::rdb_of(name);
    {
      cli::ProgressBar bar(fmt::format("copying {}", name));
      for (;;) {
        auto const standing = cli::run_here(redis.io, copy.look());
        if (standing.complete) break;
        bar.show(standing.keys_done, standing.keys);
        std::this_thread::sleep_for(look_every);
      }
    }
    cli::ProgressBar bar(fmt::format("moving {}", file));
    backup::move_file(copy.file(), out_.file(file), [&](auto done, auto total) { bar.show(done, total); });
    add(file);
  }

  void take_database() {
    auto const file = std::string(backup::database_name);
    manifest_.schema = sqlite_.versions();
    {
      cli::ProgressBar bar(fmt::format("copying {}", file));
      sqlite_.write_to(out_.file(file).string(), [&](auto done, auto total) { bar.show(done, total); });
    }
    add(file);
  }

  // What the Redis of the cache has comes back from Discord, so a backup without it is a backup.
  void take_if_possible(std::string const& name) {
    try {
      LocalRedis redis(config_, metrics_, name, data_dir_);
      redis::RdbCopy copy(*redis, redis.directory());
      refuse_without_space(redis, copy);
      begin(redis, copy, [] { return 0; });
      take(redis, copy, name);
    } catch (SetupError const& error) {
      fmt::print("left out {}: {}\n", name, error.what());
    } catch (StoreError const& error) {
      fmt::print("left out {}: {}\n", name, error.what());
    }
  }

  void add(std::string const& file) {
    cli::ProgressBar bar(fmt::format("reading {}", file));
    auto const sum = backup::sum_of(out_.file(file), [&](auto done, auto total) { bar.show(done, total); });
    manifest_.files[file] = sum;
    fmt::print("copied {}: {}\n", file, cli::in_bytes(sum.bytes));
    std::fflush(stdout);
  }

  Config const& config_;
  Metrics& metrics_;
  Settings const& settings_;
  OnlyBackup only_;
  sql::SqliteCopy sqlite_;
  backup::UnfinishedDirectory out_;
  std::optional<DataDir> data_dir_ = {};  // if no server runs
  LocalRedis redis_;
  backup::Manifest manifest_ = {};
};

}  // namespace

int make_backup(cli::Context& context, Settings const& settings) {
  auto const& config = context.config();
  auto const goal = backup::full_path(context.value("directory"));
  if (!keeps_all(config)) {
    fmt::print(stderr, "larder: {}\n", backup_by_hand(config, goal));
    return 1;
  }
  if (!fs::exists(config.data)) {
    throw SetupError(fmt::format(
        "there is no data directory {} here; use the same --data or --config as the server", config.data));
  }
  Backup backup(context, settings, goal);
  backup.run();
  fmt::print("{} has everything that was acknowledged before {}\n", goal.string(),
             to_rfc3339(backup.manifest().made_at));
  return 0;
}

}  // namespace larder
