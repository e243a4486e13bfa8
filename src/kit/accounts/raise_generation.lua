-- Raises the generation of an account, unless the generation is already higher.
-- KEYS: user    ARGV: generation
-- Returns the generation of the account, or 0 if there is no such account
local user, at_least = KEYS[1], tonumber(ARGV[1])

if redis.call('HEXISTS', user, 'id') == 0 then return 0 end
local generation = math.max(tonumber(redis.call('HGET', user, 'generation') or '0'), at_least)
redis.call('HSET', user, 'generation', string.format('%.0f', generation)) -- a write in any case, for WAIT
return generation
