#include "app/restore.hpp"

#include "app/external_stores.hpp"
#include "app/server.hpp"
#include "base/data_dir.hpp"
#include "base/error.hpp"
#include "edges/cli/progress_bar.hpp"
#include "kit/backup/manifest.hpp"
#include "kit/backup/unfinished_directory.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace larder {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view lock_name = "larder.lock";
constexpr std::string_view admin_key_name = "admin.key";

bool is_data_directory(fs::path const& path) {
  return fs::exists(path / lock_name) || fs::exists(path / backup::database_name);
}

// The data directory that the command makes, and the lock on the one that is there.
class Target {
 public:
  Target(fs::path path, bool move_aside) : path_(std::move(path)) {
    has_files_ = fs::exists(path_) && !(fs::is_directory(path_) && fs::is_empty(path_));
    if (!has_files_) return;
    if (!is_data_directory(path_)) {
      throw SetupError(
          fmt::format("{} is not empty, and it is no data directory of Larder; name another one with --data",
                      path_.string()));
    }
    lock_.emplace(path_);  // throws if a server works there
    if (move_aside) return;
    throw SetupError(fmt::format(
        "{} has data; name another directory with --data, or use --move-aside, which keeps that data in {}",
        path_.string(), fs::path(path_).concat(".before-restore-<time>").string()));
  }

  fs::path const& path() const { return path_; }
  bool has_files() const { return has_files_; }

  // Returns where the older directory is now; empty if there was none.
  fs::path replace_by(backup::UnfinishedDirectory& copy) const {
    if (!has_files_) {
      copy.finish();
      return {};
    }
    auto const aside = fs::path(path_).concat(fmt::format(".before-restore-{}", SystemClock{}.now().value));
    copy.finish_and_move(aside);
    return aside;
  }

 private:
  fs::path path_;
  bool has_files_ = false;
  std::optional<DataDir> lock_ = {};
};

void refuse_without_space(fs::path const& directory, backup::Manifest const& manifest) {
  std::uint64_t bytes = 0;
  for (auto const& [name, file] : manifest.files) bytes += file.bytes;
  backup::refuse_if_full(directory, bytes);
}

// A server refuses data that was made with other settings of this kind. Then these lines say why.
void tell_other_settings(Settings const& settings, backup::Manifest const& manifest) {
  constexpr std::string_view of_the_machine[] = {"data", "server.", "redis.", "sql.", "log.", "cache.redis."};
  for (auto const& setting : settings) {
    auto const was = manifest.settings.find(setting.name);
    if (was == manifest.settings.end() || was->second == setting.toml()) continue;
    if (std::ranges::any_of(of_the_machine, [&](auto prefix) { return setting.name.starts_with(prefix); }))
      continue;
    fmt::print("note: {} was {} for `larder backup`, and is {} here\n", setting.name, was->second,
               setting.toml());
  }
}

// Copies the files to where a server looks for them, and compares the checksums.
void copy_files(fs::path const& from, backup::Manifest const& manifest,
                backup::UnfinishedDirectory const& to) {
  for (auto const& [name, expected] : manifest.files) {
    auto goal = to.file(name);
    if (auto const redis = backup::redis_directory_of(name); !redis.empty()) {
      fs::create_directory(to.file(redis));
      goal = backup::prepare_append_only_files(to.file(redis));
    }
    cli::ProgressBar bar(fmt::format("copying {}", name));
    auto const sum =
        backup::copy_file(from / name, goal, [&](auto done, auto total) { bar.show(done, total); });
    backup::check_sum(name, sum, expected);
    fmt::print("copied {}: {}\n", name, cli::in_bytes(sum.bytes));
    std::fflush(stdout);
  }
}

// Starts what a server starts, but no background work, and compares Redis with SQL.
bool has_differences(cli::Context& context, fs::path const& data, Systems& systems,
                     cli::Command const& verify) {
  auto config = context.config();
  config.data = data.string();
  config.server.threads = 1;
  fmt::print("starting Redis on the copy\n");
  std::fflush(stdout);
  int code = 0;
  try_out(config, std::move(systems), [&] {
    cli::Context of_copy = context.with(config);
    code = verify.run(of_copy);
  });
  std::fflush(stdout);
  return code != 0;
}

void keep_admin_key_of(Target const& target, backup::UnfinishedDirectory const& copy) {
  auto const old = target.path() / admin_key_name;
  if (fs::exists(old) && !fs::exists(copy.file(admin_key_name)))
    backup::copy_file(old, copy.file(admin_key_name));
}

void refuse_other_places(Config const& config) {
  if (config.sql.url.empty()) return;
  throw SetupError(
      fmt::format("restore puts the database into the data directory, but sql.url is {}: restore with "
                  "--set sql.url=, and afterwards move {} to where sql.url says",
                  config.sql.url, config.data_path(backup::database_name).string()));
}

}  // namespace

int restore_backup(cli::Context& context, Settings const& settings, Systems& systems,
                   cli::Command const& verify) {
  auto const& config = context.config();
  auto const from = backup::full_path(context.value("directory"));
  if (!keeps_all(config)) {
    fmt::print(stderr, "larder: {}\n", restore_by_hand(config, from));
    return 1;
  }
  refuse_other_places(config);
  auto const manifest = backup::read_manifest(from);
  Target const target(backup::full_path(config.data), !context.value("--move-aside").empty());
  using IfNotEmpty = backup::UnfinishedDirectory::IfNotEmpty;
  backup::UnfinishedDirectory copy(target.path(), ".restoring",
                                   target.has_files() ? IfNotEmpty::replace : IfNotEmpty::refuse);
  refuse_without_space(copy.path(), manifest);
  fmt::print("the backup has everything that was acknowledged before {} (larder {})\n",
             to_rfc3339(manifest.made_at), manifest.version);
  tell_other_settings(settings, manifest);
  copy_files(from, manifest, copy);
  bool const differs = has_differences(context, copy.path(), systems, verify);
  if (differs && context.value("--accept-differences").empty()) {
    throw SetupError(
        "verify has found differences in the backup, so nothing was changed; --accept-differences puts it in "
        "place nevertheless");
  }
  keep_admin_key_of(target, copy);
  auto const aside = target.replace_by(copy);
  if (!aside.empty()) fmt::print("the data that was there is in {} now\n", aside.string());
  fmt::print("{} is restored{}; start the server with --data {}\n", target.path().string(),
             differs ? ", with the differences above" : " and verified", target.path().string());
  return 0;
}

}  // namespace larder
