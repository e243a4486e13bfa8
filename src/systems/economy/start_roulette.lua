-- include realm.lua
-- Loads a roulette. What was drawn stays hidden until the shot.
-- KEYS 5: roulette    ARGV 3..: roulette's id, chambers, ttl in seconds
-- Answers the id
local found, reply = begin({})
if not found then return reply end
redis.call('HSET', KEYS[5], 'left', draw(1, tonumber(ARGV[4])), 'drawn', drawn[1], 'seed', SEED)
redis.call('EXPIRE', KEYS[5], ARGV[5])
return answer({'ok', ARGV[3]})
