// A bot forwards what the gateway told it, and asks what it looked like before, who said it and who may.
//   cache_example [DIRECTORY]
#include <cstdio>
#include <exception>
#include <larder/cache.hpp>

using namespace larder;

namespace {

constexpr std::string_view dispatches[] = {
    R"({"t":"GUILD_CREATE","s":1,"d":{"id":"100","name":"Bakers","owner_id":"1","member_count":2,
        "roles":[{"id":"100","name":"@everyone","permissions":"1024"},{"id":"300","name":"chef","permissions":"8192"}],
        "channels":[{"id":"200","type":0,"name":"oven","permission_overwrites":[]}],
        "members":[{"user":{"id":"1","username":"ada"},"roles":[]},{"user":{"id":"2","username":"bob"},"roles":["300"]}]}})",
    R"({"t":"MESSAGE_CREATE","s":2,"d":{"id":"1420070400000000000","channel_id":"200","guild_id":"100",
        "author":{"id":"2","username":"bob"},"content":"bread!"}})"};
constexpr std::string_view edited =
    R"({"t":"MESSAGE_UPDATE","s":3,"d":{"id":"1420070400000000000","channel_id":"200","guild_id":"100","content":"cake!"}})";

constexpr std::uint64_t manage_messages = 1ULL << 13;

// Runs on the cache's thread. Coroutines that run concurrently share round trips to Redis.
Task<void> forward(cache::Cache& cache) {
  auto const report = (co_await cache.apply(dispatches)).value();
  std::printf("applied %zu\n", report.applied);
  std::string_view const edit[] = {edited};
  auto const changed = (co_await cache.apply(edit, {.before = true})).value();
  for (auto const& before : changed.before) std::printf("before %s\n", before.object.c_str());
  auto const message = co_await cache.get({.kind = cache::ObjectKind::message, .id = "1420070400000000000"});
  std::printf("after %s\n", message.value_or("not cached").c_str());
  auto const permissions = (co_await cache.permissions("100", "2", "200")).value();
  std::printf("bob may delete messages: %d\n", (permissions.effective & manage_messages) != 0);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    cache::EmbeddedCache discord({.data = argc > 1 ? argv[1] : "data"});
    discord.run(forward(discord.cache()));
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
