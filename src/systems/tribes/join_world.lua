-- include kit/events/outbox.lua
-- include kit/documents/documents.lua
-- include kit/series/series.lua
-- include kept.lua
-- include town_writes.lua
-- include towns.lua
-- Founds the town of a user, on a free field.
-- KEYS: those of towns.lua for one town; names, zone, open zone
-- ARGV: those of towns.lua; name of the user, field, largest number of towns in the zone, index of the zone
-- Returns what towns.lua says; {5} if the field was taken or the zone is full; {6} if the user has a town that is lost
local names, zone, open_zone = unpack(KEYS, KEYS_OF_SCRIPT)
local name, field, towns_max, index = unpack(ARGV, ARGS_OF_SCRIPT)

local towns, reply = plan_towns()
if not towns then return reply end
local user = towns.users[1]
if redis.call('HEXISTS', names, user) == 1 then return {6} end
if redis.call('HLEN', zone) >= tonumber(towns_max) or redis.call('HEXISTS', zone, field) == 1 then return {5} end
local opens = tonumber(index) > tonumber(redis.call('GET', open_zone) or '0')
redis.call('HSET', zone, field, user)
redis.call('HSET', names, user, field .. ' ' .. name)
if opens then redis.call('SET', open_zone, index) end
return write_towns(towns, ARGS_OF_SCRIPT + 4)
