-- Replaces the text under a key, if it is still the one that the caller has read. The expiry stays.
-- KEYS: key    ARGV: text before, text after
-- Returns 1 if it was replaced, otherwise 0
local key = KEYS[1]
local before, after = unpack(ARGV)

if redis.call('TYPE', key).ok ~= 'string' or redis.call('GET', key) ~= before then return 0 end
redis.call('SET', key, after, 'KEEPTTL')
return 1
