-- Says that somebody watches a town, so that the town is updated more often. It is due at once.
-- KEYS: watched, updates    ARGV: user, now ms, until ms
-- Returns 1 if the town is due earlier than before, otherwise 0
local watched, updates = unpack(KEYS)
local user, now, until_ms = unpack(ARGV)

local before = redis.call('ZSCORE', watched, user)
redis.call('ZADD', watched, until_ms, user)
redis.call('ZREMRANGEBYSCORE', watched, '-inf', '(' .. now)
if before and tonumber(before) > tonumber(now) then return 0 end
return redis.call('ZADD', updates, 'XX', 'LT', 'CH', now, user)
