-- include realm.lua
-- Gives a reward, once per interval.
-- KEYS of the move: <player>:<reward>    ARGV of the move: player, reward, points, ms until the next claim
-- Answers points, balance; if refused with reward_not_ready: the seconds left
local claimed = KEYS[5]
local player, reward, points, wait_ms = unpack(ARGV, 3)

points = tonumber(points)
local found, reply = begin({claimed})
if not found then return reply end
if found[1] then
  local left_ms = redis.call('PTTL', claimed)
  if left_ms < 0 then
    -- A key without an expiry was made by hand, or by a bot that died halfway. It must not block the player forever.
    will_write()
    remember(':' .. reward, '1 ' .. wait_ms)
    tell_state(player)
    redis.call('PEXPIRE', claimed, wait_ms)
    left_ms = tonumber(wait_ms)
  end
  return answer({'reward_not_ready', math.ceil(left_ms / 1000)})
end
local balance = balance_of(player)
if balance + points > POINTS_MAX then return answer({'balance_limit'}) end
will_write()
redis.call('SET', claimed, '1', 'PX', wait_ms)
remember(':' .. reward, '1 ' .. wait_ms)
if points > 0 then change_points(player, points, 'timely_reward', with_state('reward', reward)) end
tell_state(player)
return answer({'ok', points, balance + points})
