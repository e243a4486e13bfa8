#include "stores/redis/writable.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/number.hpp"

#include <fmt/format.h>

namespace larder::redis {

namespace {

// A script whose first line says that it may write. Redis checks that before it runs the script, as it does
// for any write.
constexpr std::string_view probe = "#!lua\nreturn 1";
constexpr int silent_s_max = 5;  // a replica reports once a second

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

// The value of a field in a line such as "slave0:ip=10.0.0.1,port=6379,state=online,offset=98,lag=0".
std::string_view field_of(std::string_view line, std::string_view name) {
  auto const at = line.find(name);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + name.size());
  return line.substr(0, line.find_first_of(",\r"));
}

// Whether every master has the replicas that must confirm its writes.
Task<std::string> problem_of_replicas(Redis& redis) {
  auto const wanted = redis.options().replicas_min;
  if (wanted == 0) co_return "";
  int fewest = wanted;
  co_await redis.ask_masters({"INFO", "replication"}, [&](Endpoint const&, ReplyView info) {
    fewest = std::min(fewest, followers(info.text()));
  });
  if (fewest == wanted) co_return "";
  co_return fmt::format(
      "a master has {} of the {} replicas that must confirm each write, so writes get 503: start its "
      "replicas, or change redis.replicas_min",
      fewest, wanted);
}

}  // namespace

int followers(std::string_view info) {
  int count = 0;
  while (!info.empty()) {
    auto const line = info.substr(0, info.find('\n'));
    info.remove_prefix(std::min(line.size() + 1, info.size()));
    if (!line.starts_with("slave") || !line.contains(":ip=")) continue;
    auto const state = field_of(line, ",state=");
    bool const silent = parse_int(field_of(line, ",lag=")).value_or(0) > silent_s_max;
    if (state.empty() || (state == "online" && !silent)) ++count;
  }
  return count;
}

Task<std::string> problem_of_writes(Redis& redis) {
  try {
    co_await redis.ask_masters({"EVAL", probe, "0"}, [](Endpoint const&, ReplyView) {});
    co_return co_await problem_of_replicas(redis);
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
