-- include realm.lua
-- Burns the player's own offer, and points of another player.
-- KEYS of the move: lock, discombobulate-buff
-- ARGV of the move: player, target, offer, least offer in percent of the target's balance, least and largest damage in
--       percent of the offer, seconds of the lock per percent drawn, name of points
-- Answers damage, balance, target's balance, seconds of the lock, draws; if refused: the seconds left, the balance and what
-- is needed, or the least offer
local lock, buff = unpack(KEYS, 5)
local player, target, offer, offer_percent, low, high, lock_s, currency = unpack(ARGV, 3)

offer = tonumber(offer)
local found, reply = begin({lock, buff})
if not found then return reply end
local buffed = number_in(buff, found[2] or '0')
if found[1] then
  local left_ms = redis.call('PTTL', lock)
  if left_ms < 0 then
    -- A lock without an expiry was made by hand. It becomes the longest that a player can have.
    will_write()
    left_ms = high * lock_s * 1000
    remember(':discombobulate', '1 ' .. whole(left_ms))
    tell_state(player)
    redis.call('PEXPIRE', lock, whole(left_ms))
  end
  return answer({'on_cooldown', math.ceil(left_ms / 1000)})
end
local mine, theirs = balance_of(player), balance_of(target)
if offer > mine then return answer({'insufficient_balance', mine, currency, offer}) end
local minimum = share_up(theirs, offer_percent, 100)
if offer < minimum then return answer({'offer_too_low', minimum}) end

local percent = draw(tonumber(low), tonumber(high))
local damage = math.min(share_down(offer, percent + buffed, 100), theirs)
local locked_s = percent * lock_s
will_write()
if locked_s > 0 then remember(':discombobulate', for_seconds('1', locked_s)) end
change_points(player, -offer, 'discombobulator', with_state('target_id', target))
if damage > 0 then change_points(target, -damage, 'discombobulatee', 'source_id', player) end
if locked_s > 0 then redis.call('SET', lock, '1', 'EX', whole(locked_s)) end
return answer({'ok', damage, mine - offer, theirs - damage, locked_s, draws()})
