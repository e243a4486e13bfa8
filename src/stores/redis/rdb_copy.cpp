#include "stores/redis/rdb_copy.hpp"

#include "base/error.hpp"
#include "base/number.hpp"

#include <fmt/format.h>

namespace larder::redis {

namespace {

// The value in a line such as "rdb_bgsave_in_progress:0".
std::string_view value_in(std::string_view info, std::string_view name) {
  auto const line = fmt::format("\n{}:", name);
  auto const at = info.find(line);
  if (at == std::string_view::npos) return {};
  info.remove_prefix(at + line.size());
  return info.substr(0, info.find('\r'));
}

std::uint64_t number_in(std::string_view info, std::string_view name) {
  return std::uint64_t(std::max<std::int64_t>(parse_int(value_in(info, name)).value_or(0), 0));
}

}  // namespace

RdbCopy::RdbCopy(Redis& redis, std::filesystem::path directory)
    : redis_(redis), directory_(std::move(directory)) {}

RdbCopy::~RdbCopy() {
  std::error_code ignored;  // the next copy, and the next start of Redis, remove it, too
  if (!file_.empty()) std::filesystem::remove(file_, ignored);
}

Task<std::string> RdbCopy::info(std::string_view section) {
  auto const reply = co_await redis_.command(Use::read, "", {"INFO", section});
  co_return std::string(reply.text());
}

Task<bool> RdbCopy::begin() {
  run_id_ = value_in(co_await info("server"), "run_id");
  // An earlier version may have started this Redis, with another name.
  auto const name = co_await redis_.command(Use::read, "", {"CONFIG", "GET", "dbfilename"});
  file_ = directory_ / name.at(1).text();
  std::filesystem::remove(file_);
  auto const persistence = co_await info("persistence");
  for (auto const* other : {"rdb_bgsave_in_progress", "aof_rewrite_in_progress", "aof_rewrite_scheduled"}) {
    if (number_in(persistence, other) != 0) co_return false;
  }
  // The child process that writes the copy exists when Redis answers.
  co_await redis_.command(Use::write, "", {"BGSAVE"});
  co_return true;
}

Task<RdbCopy::Standing> RdbCopy::look() {
  auto const persistence = co_await info("persistence");
  if (number_in(persistence, "rdb_bgsave_in_progress") != 0) {
    co_return Standing{.keys_done = number_in(persistence, "current_save_keys_processed"),
                       .keys = number_in(persistence, "current_save_keys_total")};
  }
  // A Redis that was started again knows nothing of the copy.
  bool const same = value_in(co_await info("server"), "run_id") == run_id_;
  if (!same || !std::filesystem::exists(file_) || value_in(persistence, "rdb_last_bgsave_status") != "ok") {
    throw StoreError(fmt::format("Redis has not written {}; {} says why", file_.string(),
                                 (directory_ / "redis.log").string()),
                     false);
  }
  co_return Standing{.complete = true};
}

Task<std::uint64_t> RdbCopy::bytes_at_most() { co_return number_in(co_await info("memory"), "used_memory"); }

void remove_unfinished_copies(std::filesystem::path const& directory) {
  std::error_code ignored;  // they only take space
  for (auto const& entry : std::filesystem::directory_iterator(directory, ignored)) {
    auto const name = entry.path().filename().string();
    if (name == copy_name || (name.starts_with("temp-") && name.ends_with(".rdb")))
      std::filesystem::remove(entry.path(), ignored);
  }
}

}  // namespace larder::redis
