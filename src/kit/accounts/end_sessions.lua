-- include account.lua
-- Ends every session of an account.
-- KEYS: revoked, user    ARGV: kept ms of revoked
-- Returns the new generation, or 0 if there is no such account
local revoked, user = unpack(KEYS)

local id = redis.call('HGET', user, 'id')
if not id then return 0 end
local generation = redis.call('HINCRBY', user, 'generation', 1)
revoke(revoked, ARGV[1], 'user', id, 'generation', generation)
return generation
