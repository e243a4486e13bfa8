-- Finds the oldest event of an outbox that is not projected yet.
-- KEYS: outbox stream, projected    ARGV: id of the last event to look at, or +
-- Returns the id of that event, or nil.
local outbox, projected_key = unpack(KEYS)
local last = ARGV[1]

local projected = redis.call('GET', projected_key)
local oldest = redis.call('XRANGE', outbox, projected and '(' .. projected or '-', last, 'COUNT', 1)
return oldest[1] and oldest[1][1]
