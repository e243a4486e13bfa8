-- Makes a planted bomb that is due the pending one, instead of one that was due before it. Called for a member of the
-- schedule; what it finds done already it leaves alone.
-- KEYS: bombs, bombs-schedule, bomb, bomb-due    ARGV: player, now ms
-- Returns 1 if it is pending now; 0 if there is none, or another; else, as text, when it is due
local bombs, schedule, bomb, bomb_due = unpack(KEYS)
local player, now = unpack(ARGV)

local due = redis.call('ZSCORE', bombs, player)
if not due then
  redis.call('ZREM', schedule, player)
  return 0
end
if tonumber(due) > tonumber(now) then
  redis.call('ZADD', schedule, due, player)
  return due
end
redis.call('ZREM', bombs, player)
redis.call('ZREM', schedule, player)
-- One that comes late, because whoever had it died, does not take the place of a later one.
if redis.call('EXISTS', bomb) == 1 and tonumber(redis.call('GET', bomb_due) or '0') > tonumber(due) then return 0 end
redis.call('SET', bomb, player)
redis.call('SET', bomb_due, due)
return 1
