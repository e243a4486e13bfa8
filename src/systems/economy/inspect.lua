-- include realm.lua
-- Shows the inventory of a player, for a fee.
-- KEYS of the move: inventory of the target    ARGV of the move: player, target, fee, name of points
-- Answers balance, then item, count, ...
local inventory = KEYS[5]
local player, target, fee, currency = unpack(ARGV, 3)

fee = tonumber(fee)
local found, reply = begin({})
if not found then return reply end
local balance = balance_of(player)
if fee > balance then return answer({'insufficient_balance', balance, currency, fee}) end
local words = {'ok', balance - fee}
local owned = read('HGETALL', inventory)
for i = 1, #owned, 2 do
  if number_in(inventory, owned[i + 1]) ~= 0 then
    words[#words + 1] = owned[i]
    words[#words + 1] = owned[i + 1]
  end
end
if fee > 0 then
  will_write()
  change_points(player, -fee, 'inventory_fee', 'target_id', target)
end
return answer(words)
