-- include realm.lua
-- Wins a part of an amount, or loses the amount.
-- KEYS of the move: none
-- ARGV of the move: player, amount (or 'all'), one in how many wins, faces, divisor, name of points
-- Answers change, balance, draws
local player, wanted, one_in, faces, divisor, currency = unpack(ARGV, 3)

local found, reply = begin({})
if not found then return reply end
local balance = balance_of(player)
local amount = wanted == 'all' and balance or tonumber(wanted)
if amount > balance or amount == 0 then
  return answer({'insufficient_balance', balance, currency, math.max(amount, 1)})
end
local change = -amount
if draw(1, tonumber(one_in)) == 1 then
  change = share_up(amount, draw(1, tonumber(faces)), tonumber(divisor))
  if balance + change > POINTS_MAX then return answer({'balance_limit'}) end
end
will_write()
change_points(player, change, 'gamble')
return answer({'ok', change, balance + change, draws()})
