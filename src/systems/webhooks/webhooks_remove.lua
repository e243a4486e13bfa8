#!lua flags=allow-oom
-- Forgets a webhook that SQL no longer has, with its deliveries. Every server reads the webhooks again.
-- KEYS: state, due set, its other keys    ARGV: now ms, its members of the due set
local state, due_set = unpack(KEYS)

local revision = math.max(tonumber(redis.call('HGET', state, 'revision') or '0') + 1, tonumber(ARGV[1]))
for i = 3, #KEYS do redis.call('UNLINK', KEYS[i]) end
for i = 2, #ARGV do redis.call('ZREM', due_set, ARGV[i]) end
redis.call('HSET', state, 'revision', string.format('%.0f', revision))
