#include "systems/messages/index_keys.hpp"

#include "base/hash.hpp"

#include <fmt/format.h>

namespace larder::messages {

namespace {

constexpr std::size_t hash_chars = 32;

}  // namespace

IndexKeys::IndexKeys(UserId const& user)
    : history(fmt::format("{{{}}}", sha256_hex(user.str()).substr(0, hash_chars))),
      line(history + ":line"),
      waiting(history + ":waiting"),
      index(history + ":index") {}

std::string IndexKeys::last_reset(MessageId id) const { return fmt::format("{}:{}:last_reset", history, id); }
std::string IndexKeys::tokens(MessageId id) const { return fmt::format("{}:{}:tokens", history, id); }

}  // namespace larder::messages
