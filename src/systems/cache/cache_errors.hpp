// Why the cache refuses something.
#pragma once

#include "base/error.hpp"

#include <string_view>

namespace larder::cache::errors {

inline constexpr ErrorCode cache_full{ErrorKind::unavailable, "cache_full"};
inline constexpr ErrorCode not_cached{ErrorKind::not_found, "not_cached"};
// Events of the gateway carry this kind of object, so nobody else may write it.
inline constexpr ErrorCode not_writable{ErrorKind::conflict, "not_writable"};
// Every bot has a cache of its own.
inline constexpr ErrorCode another_bot{ErrorKind::conflict, "another_bot"};
// The settings say that this kind of object is not kept.
inline constexpr ErrorCode not_kept{ErrorKind::conflict, "not_kept"};

}  // namespace larder::cache::errors

namespace larder::cache {

// Whether Redis has refused a write because its memory is full.
inline bool is_out_of_memory(StoreError const& error) {
  return std::string_view(error.what()).starts_with("OOM");
}

}  // namespace larder::cache
