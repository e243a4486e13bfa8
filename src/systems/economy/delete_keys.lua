-- Deletes keys of a realm that is closed. A realm that began anew meanwhile is left alone.
-- KEYS: catalogue, lb, keys to delete    ARGV: version of a closed realm, players to take off the leaderboard
-- Returns 1; 0 if the realm is not closed.
local catalogue, lb = unpack(KEYS, 1, 2)

if redis.call('GET', catalogue) ~= ARGV[1] then return 0 end
for i = 3, #KEYS do redis.call('UNLINK', KEYS[i]) end
if #ARGV > 1 then redis.call('ZREM', lb, unpack(ARGV, 2)) end
return 1
