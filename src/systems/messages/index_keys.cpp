#include "systems/messages/index_keys.hpp"

#include "base/hash.hpp"

#include <fmt/format.h>

namespace larder::messages {

IndexKeys::IndexKeys(UserId const& user)
    : history(fmt::format("{{{}}}", key_hash(user.str()))),
      line(history + ":line"),
      waiting(history + ":waiting"),
      index(history + ":index") {}

std::string IndexKeys::last_reset(MessageId id) const { return fmt::format("{}:{}:last_reset", history, id); }
std::string IndexKeys::tokens(MessageId id) const { return fmt::format("{}:{}:tokens", history, id); }

}  // namespace larder::messages
