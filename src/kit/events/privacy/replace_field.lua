-- Replaces a field of a hash, if it still has the value that the caller has read.
-- KEYS: hash    ARGV: field, value before, value after
-- Returns 1 if it was replaced, otherwise 0
local key = KEYS[1]
local field, before, after = unpack(ARGV)

if redis.call('TYPE', key).ok ~= 'hash' or redis.call('HGET', key, field) ~= before then return 0 end
redis.call('HSET', key, field, after)
return 1
