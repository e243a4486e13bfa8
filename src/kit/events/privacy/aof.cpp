#include "kit/events/privacy/aof.hpp"

#include "base/error.hpp"

namespace larder::privacy {

namespace {

constexpr auto look_every = std::chrono::milliseconds(100);
constexpr auto patience = std::chrono::minutes(10);

struct RewriteState {
  bool busy = false;
  bool good = true;
};

Task<RewriteState> rewrite_state(redis::Redis& redis) {
  RewriteState state;
  co_await redis.ask_masters({"INFO", "persistence"}, [&](redis::Endpoint const&, redis::ReplyView info) {
    auto const text = info.text();
    auto const says = [&](std::string_view line) { return text.find(line) != std::string_view::npos; };
    state.busy = state.busy || says("aof_rewrite_in_progress:1") || says("aof_rewrite_scheduled:1") ||
                 says("rdb_bgsave_in_progress:1");
    state.good = state.good && says("aof_last_bgrewrite_status:ok");
  });
  co_return state;
}

Task<void> wait_for_rewrite(redis::Redis& redis, TaskGroup& tasks) {
  auto const end = std::chrono::steady_clock::now() + patience;
  while ((co_await rewrite_state(redis)).busy) {
    if (tasks.stopping() || std::chrono::steady_clock::now() > end)
      throw StoreError("Redis has not rewritten its file yet", false);
    co_await tasks.sleep(look_every);
  }
}

}  // namespace

Task<void> rewrite_aof(redis::Redis& redis, TaskGroup& tasks) {
  co_await wait_for_rewrite(redis, tasks);  // one that began earlier may still have the old values
  co_await redis.ask_masters({"BGREWRITEAOF"}, [](redis::Endpoint const&, redis::ReplyView) {});
  co_await wait_for_rewrite(redis, tasks);
  if (!(co_await rewrite_state(redis)).good) throw StoreError("Redis could not rewrite its file", false);
}

}  // namespace larder::privacy
