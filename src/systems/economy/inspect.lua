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
for _, word in ipairs(redis.call('HGETALL', inventory)) do words[#words + 1] = word end
if fee > 0 then change_points(player, -fee, 'inventory_fee', 'target_id', target) end
return answer(words)
