// Makes the calls of the limiter's scripts. The head of each script says what it does and what it returns.
#pragma once

#include "kit/limiter/limiter.hpp"
#include "stores/redis/script_call.hpp"

#include <span>

namespace larder::limiter::scripts {

redis::ScriptCall take_tokens(std::span<Bucket const> buckets, TimeMs now);
redis::ScriptCall refund_tokens(std::span<Bucket const> buckets, TimeMs taken_at, TimeMs now);

}  // namespace larder::limiter::scripts
