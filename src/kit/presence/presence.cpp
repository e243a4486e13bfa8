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

// The command that has closed the Redis. A rebuild writes the name of its system only.
std::string command_of(std::string_view closed_by) {
  if (closed_by == any_system) closed_by = "ledger";
  return closed_by.contains(' ') ? std::string(closed_by) : fmt::format("{} rebuild", closed_by);
}

// Whether the same command has closed the Redis before, and was cut off.
Task<bool> was_cut_off(redis::Redis& redis, std::string command) {
  auto const closed_by = co_await redis.command(redis::Use::read, closed_key, {"GET", closed_key});
  if (closed_by.is_nil()) co_return false;
  auto const other = command_of(closed_by.text());
  bool const any_rebuild = closed_by.text() == any_system && command.ends_with(" rebuild");
  if (any_rebuild || other == command) co_return true;
  throw SetupError(fmt::format("`larder {}` was cut off on this Redis; run it again first", other));
}

// `resumed`: the Redis is already closed.
Task<void> close(redis::Redis& redis, std::string closed_by, bool resumed) {
  co_await redis.command(redis::Use::idempotent_write, closed_key, {"SET", closed_key, closed_by});
  auto const others = co_await servers(redis);
  if (others.empty()) co_return;
  if (!resumed) co_await open(redis);
  throw SetupError(
      fmt::format("a server works on this Redis ({}); stop it first. One that was killed is forgotten "
                  "within half a minute",
                  fmt::join(others, "; ")));
}

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
    auto const command = command_of(*closed_by);
    throw SetupError(fmt::format(
        "this Redis is {}; wait until that is done, or run `larder {}` again if it was cut off",
        command.ends_with(" rebuild") ? "being rebuilt from the journal" : "closed for a command", command));
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
        log::error("a command needs this Redis for itself while this server works: stop it");
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
  bool const resumed = co_await was_cut_off(redis, command_of(system));
  if (!resumed && co_await has_data()) {
    throw NotEmptyError(
        fmt::format("this Redis is not empty: a rebuild fills an empty one only, so that nothing newer than "
                    "the journal is "
                    "overwritten; `larder {} verify` compares the two",
                    system));
  }
  co_await close(redis, std::move(system), resumed);
}

Task<bool> close_for(redis::Redis& redis, std::string command) {
  bool const resumed = co_await was_cut_off(redis, command);
  co_await close(redis, std::move(command), resumed);
  co_return resumed;
}

Task<void> open(redis::Redis& redis) {
  co_await redis.command(redis::Use::idempotent_write, closed_key, {"DEL", closed_key});
}

}  // namespace larder::presence
