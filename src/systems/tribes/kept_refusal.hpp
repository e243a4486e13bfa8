// The answers that are kept for Idempotency-Keys, as texts.
#pragma once

#include "systems/tribes/tribes.hpp"

namespace larder::tribes {

// The text that is kept for a refusal by a rule. Nothing if the refusal must not be kept: it does not come
// from a rule of the game, or the world is gone, so nobody can get the answer again.
std::optional<std::string> to_kept(Error const& refusal);

// The answer or the refusal that a kept text stands for, marked as replayed.
Result<Answered> from_kept(std::string_view text);

}  // namespace larder::tribes
