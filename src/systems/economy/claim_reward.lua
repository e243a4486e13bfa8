-- include realm.lua
-- Gives a reward that can be had once in a while.
-- KEYS 5: when it was claimed    ARGV 3..: player, reward, points, seconds until the next
-- Answers points, balance; refused it says the seconds left
local player, reward, points, every_s = ARGV[3], ARGV[4], tonumber(ARGV[5]), ARGV[6]
local found, reply = begin({KEYS[5]})
if not found then return reply end
if found[1] then
  local left_ms = redis.call('PTTL', KEYS[5])
  -- Without an end it was made by hand: it is ready when somebody removes it.
  return answer({'reward_not_ready', left_ms < 0 and every_s or math.ceil(left_ms / 1000)})
end
local balance = balance_of(player)
if balance + points > POINTS_MAX then return answer({'balance_limit'}) end
redis.call('SET', KEYS[5], '1', 'EX', every_s)
if points > 0 then change_points(player, points, 'timely_reward', 'reward', reward) end
return answer({'ok', points, balance + points})
