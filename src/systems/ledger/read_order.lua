-- include kit/events/outbox.lua
-- include foreign.lua
-- Reads how an order was decided.
-- KEYS: outbox stream, order    ARGV: none
-- Returns the record, or nil if no such order is remembered
local outbox, order = unpack(KEYS)

check_outboxes(outbox)
return text_under(order)
