// Reads the outbox events of the ledger's scripts, for the journal and for the feed.
#pragma once

#include "kit/events/feed.hpp"
#include "systems/ledger/ledger_types.hpp"

namespace larder::ledger {

UserFlow flow_of(events::Event const& event);

events::FeedEvent to_feed(std::string const& stream, events::Event const& event);

}  // namespace larder::ledger
