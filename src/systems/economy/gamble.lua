-- include realm.lua
-- Wins or loses an amount.
-- KEYS: those of every move
-- ARGV 3..: player, amount or 'all', one in so many wins, faces, divisor, what points are called
-- Answers change, balance, draws
local player, one_in, faces, divisor = ARGV[3], tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local found, reply = begin({})
if not found then return reply end
local balance = balance_of(player)
local amount = ARGV[4] == 'all' and balance or tonumber(ARGV[4])
if amount > balance or amount == 0 then
  return answer({'insufficient_balance', balance, ARGV[8], math.max(amount, 1)})
end
local change = -amount
if draw(1, one_in) == 1 then
  change = share_up(amount, draw(1, faces), divisor)
  if balance + change > POINTS_MAX then return answer({'balance_limit'}) end
end
change_points(player, change, 'gamble')
return answer({'ok', change, balance + change, draws()})
