// What the shards of a bot send, drawn from a seed, and what the cache must contain afterwards.
#pragma once

#include "cache_workload/model.hpp"

namespace larder::cache {

// What a shard sends in one request.
struct Request {
  std::vector<std::string> dispatches;
  bool is_webhook = false;  // one webhook, which comes from no event
  bool dies = false;        // the sender dies while it waits, and sends the request again
};

struct Plan {
  std::vector<std::vector<Request>> shards;
  Snapshot expected;
  std::size_t events = 0;
  std::size_t deaths = 0;
};

struct PlanOptions {
  std::uint64_t seed = 0;
  std::uint64_t shards = 4;
  std::size_t events = 3000;
  bool deaths = true;
};
Plan draw_plan(PlanOptions const& options);

}  // namespace larder::cache
