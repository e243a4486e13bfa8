-- include realm.lua
-- Pulls the trigger. The shot at the hidden number takes all points of the player, who leaves the leaderboard,
-- and ends the roulette.
-- KEYS of the move: roulette    ARGV of the move: player, roulette's id
-- Answers hit (1 or 0), lost points, balance; after a hit also the draws of the roulette
local roulette = KEYS[5]
local player, id = unpack(ARGV, 3)

local found, reply = begin({})
if not found then return reply end
local left, drawn_before, seed = unpack(read('HMGET', roulette, 'left', 'drawn', 'seed'))
if not (left and drawn_before and seed) then return answer({'roulette_not_found'}) end
local shots_left, balance = number_in(roulette, left), balance_of(player)
-- The answer to a hit has them.
number_in(roulette, drawn_before)
number_in(roulette, seed)
will_write()
-- The state of all roulettes is told in the name of the word roulette, which no player can have.
if shots_left > 1 then
  local left_ms = math.max(redis.call('PTTL', roulette), 0)
  remember('roulette:' .. id, table.concat({whole(shots_left - 1), drawn_before, seed, whole(left_ms)}, ' '))
  tell_state('roulette')
  redis.call('HINCRBY', roulette, 'left', -1)
  return answer({'ok', 0, 0, balance})
end
remember('roulette:' .. id, '')
tell_state('roulette')
redis.call('DEL', roulette)
if balance > 0 then
  remember('lb', '')
  change_points(player, -balance, 'ded', with_state('roulette_id', id))
  redis.call('ZREM', LB, player)
end
return answer({'ok', 1, balance, 0, seed .. ' ' .. drawn_before})
