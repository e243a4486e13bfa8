// The answers that are kept for Idempotency-Keys, as texts.
#pragma once

#include "systems/tribes/tribes.hpp"

namespace larder::tribes {

// The text that is kept for a refusal by a rule.
std::string to_kept(Error const& refusal);

// The answer or the refusal that a kept text stands for, marked as replayed.
Result<Answered> from_kept(std::string_view text);

}  // namespace larder::tribes
