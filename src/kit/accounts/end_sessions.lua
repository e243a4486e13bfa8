-- include account.lua
-- Ends every session of an account.
-- KEYS: revoked, user    ARGV: oldest id in revoked
-- Returns the new generation, or 0 if there is no such account
local revoked, user = unpack(KEYS)

local id = redis.call('HGET', user, 'id')
if not id then return 0 end
local generation = redis.call('HINCRBY', user, 'generation', 1)
revoke(revoked, id, generation, ARGV[1])
return generation
