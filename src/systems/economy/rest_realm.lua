-- Takes a realm out of the set of realms in use, unless a server has marked it again.
-- KEYS: realms in use    ARGV: realm, its mark as it was seen
-- Returns 1, or 0 if the mark has changed by now.
local busy = KEYS[1]
local realm, mark = unpack(ARGV)

if redis.call('ZSCORE', busy, realm) ~= mark then return 0 end
return redis.call('ZREM', busy, realm)
