// The embedded Redis of a data directory, whether a server runs or not.
#pragma once

#include "edges/cli/command_redis.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace larder {

// If the Redis does not run, this starts it. Meanwhile no server can start, because `data_dir` is locked.
class LocalRedis {
 public:
  // `name` is a subdirectory of the data directory. Throws SetupError if a server runs, but its Redis does
  // not answer, or if the Redis does not start.
  LocalRedis(Config const& config, Metrics& metrics, std::string const& name,
             std::optional<DataDir>& data_dir);

  redis::Redis& operator*() { return *redis_; }
  std::filesystem::path const& directory() const { return directory_; }

  asio::io_context io{1};

 private:
  bool answers();

  std::filesystem::path directory_;
  std::unique_ptr<redis::EmbeddedRedis> embedded_;
  std::optional<redis::Redis> redis_;
};

}  // namespace larder
