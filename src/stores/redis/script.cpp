#include "stores/redis/script.hpp"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <array>

namespace larder::redis {

Script::Script(std::string_view name, std::string_view text) : name_(name), text_(text) {
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  SHA1(reinterpret_cast<unsigned char const*>(text.data()), text.size(), digest.data());
  sha_ = fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace larder::redis
