-- Looks at an outbox.
-- KEYS: outbox stream, projected, dead events, events to retry    ARGV: id of the last event to look at, or +
-- Returns {id of the oldest event that is not projected yet, or '', number of dead events, number of events to retry, 1 if
-- the outbox exists}
local outbox, projected_key, dead, retry = unpack(KEYS)
local last = ARGV[1]

local projected = redis.call('GET', projected_key)
local oldest = redis.call('XRANGE', outbox, projected and '(' .. projected or '-', last, 'COUNT', 1)
return {oldest[1] and oldest[1][1] or '', redis.call('XLEN', dead), redis.call('XLEN', retry), redis.call('EXISTS', outbox)}
