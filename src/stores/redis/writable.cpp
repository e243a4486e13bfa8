#include "stores/redis/writable.hpp"

#include "base/error.hpp"
#include "base/log.hpp"

namespace larder::redis {

namespace {

// A script that says with its first line that it may write. Redis checks that before it runs the script, as
// it does for any write.
constexpr std::string_view probe = "#!lua\nreturn 1";

struct Refusal {
  std::string_view code;
  std::string_view words;
};
constexpr Refusal refusals[] = {
    {"OOM", "its memory is full, so it refuses writes: raise its maxmemory, or remove data"},
    {"MISCONF", "it cannot write its file, so it refuses writes: see whether its disk is full"},
    {"READONLY", "it is a replica, so it refuses writes: give the server the master"},
    {"NOREPLICAS", "it has too few replicas, so it refuses writes: start its replicas"},
};

}  // namespace

Task<std::string> problem_of_writes(Redis& redis) {
  try {
    co_await redis.ask_masters({"EVAL", probe, "0"}, [](Endpoint const&, ReplyView) {});
  } catch (StoreError const& error) {
    for (auto const& [code, words] : refusals) {
      if (std::string_view(error.what()).starts_with(code)) co_return std::string(words);
    }
    throw;
  } catch (ReplyError const& error) {
    log::debug("Redis does not say whether it takes writes", {{"why", error.what()}});
  }
  co_return "";
}

}  // namespace larder::redis
