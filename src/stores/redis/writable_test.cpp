#include "stores/redis/writable.hpp"

#include <gtest/gtest.h>

namespace larder::redis {
namespace {

TEST(Followers, are_replicas_that_are_online_and_report) {
  constexpr std::pair<std::string_view, int> cases[] = {
      {"", 0},
      {"# Replication\r\nrole:master\r\nconnected_slaves:0\r\nmaster_repl_offset:0\r\n", 0},
      {"slave0:ip=10.0.0.1,port=6379,state=online,offset=98,lag=0\r\n", 1},
      {"slave0:ip=10.0.0.1,port=6379,state=online,offset=98,lag=5\r\n"
       "slave1:ip=10.0.0.2,port=6379,state=online,offset=98,lag=1\r\nslave_read_only:1\r\n",
       2},
      {"slave0:ip=10.0.0.1,port=6379,state=wait_bgsave,offset=0,lag=0\r\n", 0},
      {"slave0:ip=10.0.0.1,port=6379,state=online,offset=98,lag=6\r\n", 0},
      {"slave0:ip=10.0.0.1,port=6379,offset=98,lag=60000\r\n", 1},
  };
  for (auto const& [info, count] : cases) EXPECT_EQ(followers(info), count) << info;
}

}  // namespace
}  // namespace larder::redis
