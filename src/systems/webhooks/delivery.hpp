// Deliveries as texts in Redis.
#pragma once

#include "systems/webhooks/webhook_types.hpp"

#include <string>
#include <string_view>

namespace larder::webhooks {

// A delivery that waits: "<number> <queued at> <line>".
std::string waiting_entry(Delivery const& delivery);
Delivery parse_waiting(std::string_view entry);

// A delivery that was made: "<number> <queued at> <finished at> <attempts> <status> <line>".
std::string delivered_entry(Delivery const& delivery);
Delivery parse_delivered(std::string_view entry);

// Why the first delivery of a lane waits: "<number> <attempts> <status> <why>".
std::string trouble_entry(Delivery const& delivery);
// Adds it to the delivery, if it is about this one.
void add_trouble(Delivery& delivery, std::string_view entry);

}  // namespace larder::webhooks
