-- include realm.lua
-- Shows a player's inventory for a fee.
-- KEYS 5: inventory of the target    ARGV 3..: player, target, fee, what points are called
-- Answers balance, then item, count, ...
local player, target, fee = ARGV[3], ARGV[4], tonumber(ARGV[5])
local found, reply = begin({})
if not found then return reply end
local balance = balance_of(player)
if fee > balance then return answer({'insufficient_balance', balance, ARGV[6], fee}) end
local words = {'ok', balance - fee}
for _, word in ipairs(redis.call('HGETALL', KEYS[5])) do words[#words + 1] = word end
if fee > 0 then change_points(player, -fee, 'inventory_fee', 'target_id', target) end
return answer(words)
