-- include realm.lua
-- Loads a roulette. The drawn number stays hidden until the roulette is over.
-- KEYS of the move: roulette    ARGV of the move: roulette's id, chambers, ttl in seconds
-- Answers the id
local roulette = KEYS[5]
local id, chambers, ttl_s = unpack(ARGV, 3)

local found, reply = begin({})
if not found then return reply end
will_write()
redis.call('HSET', roulette, 'left', draw(1, tonumber(chambers)), 'drawn', drawn[1], 'seed', SEED)
redis.call('EXPIRE', roulette, ttl_s)
return answer({'ok', id})
