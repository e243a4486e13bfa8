#include "kit/presence/presence.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/random.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

namespace larder::presence {

namespace {

constexpr std::string_view lives_ms = "30000";
constexpr auto say_every = std::chrono::seconds(5);
constexpr std::string_view any_system = "1";  // written by earlier versions instead of a name

std::string own_name() {
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  return fmt::format("{}, process {}", host, ::getpid());
}

}  // namespace

Presence::Presence(asio::io_context& io, redis::Redis& redis)
    : redis_(redis), key_(fmt::format("{}{}", server_prefix, random_hex(8))), name_(own_name()), tasks_(io) {}

Task<void> Presence::say() {
  co_await redis_.command(redis::Use::idempotent_write, key_, {"SET", key_, name_, "PX", lives_ms});
}

Task<void> Presence::enter() {
  std::optional<std::string> closed_by;
  try {
    co_await say();
    closed_by = (co_await redis_.command(redis::Use::read, closed_key, {"GET", closed_key})).optional_text();
    if (closed_by) co_await redis_.command(redis::Use::idempotent_write, key_, {"DEL", key_});
  } catch (StoreError const& error) {
    log::warn("this server is not registered in Redis yet", {{"why", error.what()}});
  }
  if (closed_by) {
    throw SetupError(fmt::format(
        "this Redis is being rebuilt from the journal; wait until that is done, or run `larder {} "
        "rebuild` again if it was cut off",
        *closed_by == any_system ? "ledger" : *closed_by));
  }
  tasks_.spawn(keep_saying());
}

Task<void> Presence::keep_saying() {
  for (;;) {
    co_await tasks_.sleep(say_every);
    if (tasks_.stopping()) co_return;
    try {
      co_await say();
      if (co_await is_closed(redis_))
        log::error("this Redis is being rebuilt while this server works: stop it");
    } catch (std::exception const&) {}  // Redis is unavailable, which others report
  }
}

Task<void> Presence::leave() {
  co_await tasks_.stop();
  try {
    co_await redis_.command(redis::Use::idempotent_write, key_, {"DEL", key_});
  } catch (std::exception const&) {}  // then the key expires
}

Task<std::vector<std::string>> servers(redis::Redis& redis) {
  std::vector<std::string> names;
  co_await redis.scan(fmt::format("{}*", server_prefix), [&](std::vector<std::string> keys) -> Task<void> {
    for (auto const& key : keys) {
      auto const name = co_await redis.command(redis::Use::read, key, {"GET", key});
      if (!name.is_nil()) names.emplace_back(name.text());
    }
  });
  co_return names;
}

Task<bool> is_closed(redis::Redis& redis) {
  auto const reply = co_await redis.command(redis::Use::read, closed_key, {"EXISTS", closed_key});
  co_return reply.integer() == 1;
}

Task<std::string> closed_for(redis::Redis& redis) {
  auto const by = co_await redis.command(redis::Use::read, closed_key, {"GET", closed_key});
  co_return by.is_nil() ? "" : by.text() == any_system ? "ledger" : std::string(by.text());
}

Task<void> close_for_rebuild(redis::Redis& redis, std::string system, std::function<Task<bool>()> has_data) {
  auto const closed_by = co_await redis.command(redis::Use::read, closed_key, {"GET", closed_key});
  bool const resumed = !closed_by.is_nil();
  if (resumed && closed_by.text() != system && closed_by.text() != any_system) {
    throw SetupError(fmt::format("a rebuild of this Redis was cut off; run `larder {} rebuild` again first",
                                 closed_by.text()));
  }
  if (!resumed && co_await has_data()) {
    throw NotEmptyError(
        fmt::format("this Redis is not empty: a rebuild fills an empty one only, so that nothing newer than "
                    "the journal is "
                    "overwritten; `larder {} verify` compares the two",
                    system));
  }
  co_await redis.command(redis::Use::idempotent_write, closed_key, {"SET", closed_key, system});
  auto const others = co_await servers(redis);
  if (others.empty()) co_return;
  if (!resumed) co_await open(redis);
  throw SetupError(
      fmt::format("a server works on this Redis ({}); stop it first. One that was killed is forgotten "
                  "within half a minute",
                  fmt::join(others, "; ")));
}

Task<void> open(redis::Redis& redis) {
  co_await redis.command(redis::Use::idempotent_write, closed_key, {"DEL", closed_key});
}

}  // namespace larder::presence
