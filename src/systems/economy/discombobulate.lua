-- include realm.lua
-- Burns points of another player at the price of an offer.
-- KEYS 5..: lock, discombobulate-buff
-- ARGV 3..: player, target, offer, least offer in percent of the target's balance, damage percent from, to, seconds of
--           the lock per percent drawn, what points are called
-- Answers damage, balance, target's balance, seconds of the lock, draws; refused it says what is missing
local player, target, offer = ARGV[3], ARGV[4], tonumber(ARGV[5])
local offer_percent, low, high, lock_s = ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9]
local found, reply = begin({KEYS[5], KEYS[6]})
if not found then return reply end
if found[1] then return answer({'on_cooldown', math.ceil(math.max(redis.call('PTTL', KEYS[5]), 0) / 1000)}) end
local mine, theirs = balance_of(player), balance_of(target)
if offer > mine then return answer({'insufficient_balance', mine, ARGV[10], offer}) end
local minimum = share_up(theirs, offer_percent, 100)
if offer < minimum then return answer({'offer_too_low', minimum}) end

local percent = draw(low, high)
local damage = math.min(share_down(offer, percent + tonumber(found[2] or '0'), 100), theirs)
local locked_s = percent * lock_s
change_points(player, -offer, 'discombobulator', 'target_id', target)
if damage > 0 then change_points(target, -damage, 'discombobulatee', 'source_id', player) end
if locked_s > 0 then redis.call('SET', KEYS[5], '1', 'EX', whole(locked_s)) end
return answer({'ok', damage, mine - offer, theirs - damage, locked_s, draws()})
