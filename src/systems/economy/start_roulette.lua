-- include realm.lua
-- Loads a roulette. The drawn number stays hidden until the roulette is over.
-- KEYS of the move: roulette    ARGV of the move: roulette's id, chambers, ttl in seconds
-- Answers the id
local roulette = KEYS[5]
local id, chambers, ttl_s = unpack(ARGV, 3)

local found, reply = begin({})
if not found then return reply end
will_write()
local hidden = whole(draw(1, tonumber(chambers)))
remember('roulette:' .. id, for_seconds(table.concat({hidden, hidden, SEED}, ' '), ttl_s))
tell_state('roulette')
redis.call('HSET', roulette, 'left', hidden, 'drawn', hidden, 'seed', SEED)
redis.call('EXPIRE', roulette, ttl_s)
return answer({'ok', id})
