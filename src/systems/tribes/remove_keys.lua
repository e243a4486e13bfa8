-- Deletes keys of a deleted world, unless there is a new world with its id by now.
-- KEYS: revision of the world; keys    ARGV: revision of the deleted world
-- Returns 1; 0 if there is a new world
local revision = redis.call('GET', KEYS[1]) or '0'

if revision ~= ARGV[1] then return 0 end
redis.call('UNLINK', unpack(KEYS, 2))
return 1
