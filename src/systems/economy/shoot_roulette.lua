-- include realm.lua
-- Pulls the trigger; the last chamber takes all the shooter has and ends the roulette.
-- KEYS 5: roulette    ARGV 3..: player, roulette's id
-- Answers shot (1 or 0), lost, balance, then of a shot the roulette's draws
local player = ARGV[3]
local found, reply = begin({})
if not found then return reply end
local left, drawn_before, seed = unpack(redis.call('HMGET', KEYS[5], 'left', 'drawn', 'seed'))
if not (left and drawn_before and seed) then return answer({'roulette_not_found'}) end
local balance = balance_of(player)
if tonumber(left) > 1 then
  redis.call('HINCRBY', KEYS[5], 'left', -1)
  return answer({'ok', 0, 0, balance})
end
redis.call('DEL', KEYS[5])
if balance > 0 then change_points(player, -balance, 'ded', 'roulette_id', ARGV[4]) end
return answer({'ok', 1, balance, 0, seed .. ' ' .. drawn_before})
