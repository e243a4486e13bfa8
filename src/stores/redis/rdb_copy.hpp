// A copy of everything that a Redis has, as it was at one moment, in a file (RDB).
#pragma once

#include "stores/redis/redis.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace larder::redis {

// Of an embedded Redis. A child process of Redis writes the copy while Redis goes on. Throws what Redis
// throws.
class RdbCopy {
 public:
  // `directory` is that of the Redis.
  RdbCopy(Redis& redis, std::filesystem::path directory);
  ~RdbCopy();  // removes the copy, unless it was moved away
  RdbCopy(RdbCopy const&) = delete;
  RdbCopy& operator=(RdbCopy const&) = delete;

  // Decides which moment the copy shows: a moment between the call and the end of the task. So the copy has
  // everything that was acknowledged before the call. False if Redis is writing another file: try again
  // later.
  Task<bool> begin();

  struct Standing {
    bool complete = false;
    std::uint64_t keys_done = 0;
    std::uint64_t keys = 0;
  };
  // Throws StoreError if Redis has failed to write the copy.
  Task<Standing> look();
  // The complete copy. Move it away.
  std::filesystem::path const& file() const { return file_; }

  // How much memory the data takes. The file is smaller, except for data that does not compress.
  Task<std::uint64_t> bytes_at_most();

 private:
  Task<std::string> info(std::string_view section);

  Redis& redis_;
  std::filesystem::path directory_;
  std::filesystem::path file_ = {};
  std::string run_id_ = {};
};

// What an RdbCopy that was cut off has left in the directory of a Redis that does not run.
void remove_unfinished_copies(std::filesystem::path const& directory);

// The file of a copy in the directory of an embedded Redis.
inline constexpr std::string_view copy_name = "copy.rdb";

}  // namespace larder::redis
