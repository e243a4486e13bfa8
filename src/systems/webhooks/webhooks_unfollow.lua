#!lua flags=allow-oom
-- There are no webhooks, so the feed need not be kept for them.
-- KEYS: state, followed    ARGV: the revision that the caller knows
-- Returns 1, or 0 if the webhooks have changed.
local state, followed = unpack(KEYS)

if (redis.call('HGET', state, 'revision') or '') ~= ARGV[1] then return 0 end
redis.call('DEL', followed)
return 1
