// A program that only holds a data directory and its Redis, until it is killed.
#include "base/data_dir.hpp"
#include "stores/redis/embedded.hpp"

#include <cstdio>
#include <unistd.h>

int main(int count, char** words) {
  if (count != 2) return 2;
  larder::DataDir const data(words[1]);
  larder::redis::EmbeddedRedis const redis(
      {.directory = std::string(words[1]) + "/redis", .lock_fd = data.lock_fd()});
  std::puts("ready");
  std::fflush(stdout);
  for (;;) ::pause();
}
