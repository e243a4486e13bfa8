#!lua flags=no-writes
-- Reads deliveries of a webhook, newest first.
-- KEYS: delivered, troubles; lanes    ARGV: only those with a number below this one, how many
-- Returns {delivered ones, {lane, why its first delivery waits, ...}, those of the first lane, those of the second lane, ...}.
local delivered, troubles = unpack(KEYS)
local below, count = '(' .. ARGV[1], ARGV[2]

local function newest(key) return redis.call('ZREVRANGEBYSCORE', key, below, '-inf', 'LIMIT', 0, count) end

local found = {newest(delivered), redis.call('HGETALL', troubles)}
for i = 3, #KEYS do found[i] = newest(KEYS[i]) end
return found
