-- Finds the oldest event of an outbox that is not projected yet.
-- KEYS: outbox stream, projected    ARGV: id of the last event to look at, or +
-- Returns its id, or nil.
local projected = redis.call('GET', KEYS[2])
local oldest = redis.call('XRANGE', KEYS[1], projected and '(' .. projected or '-', ARGV[1], 'COUNT', 1)
return oldest[1] and oldest[1][1]
