-- Makes a planted bomb that is due the pending one, instead of one that was due before it. Called for a member of the
-- schedule; what it finds done already it leaves alone.
-- KEYS: bombs, bombs-schedule, bomb, bomb-due    ARGV: player, now ms
-- Returns 1 if it is pending now; 0 if there is none, or another; else, as text, when it is due
local due = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not due then
  redis.call('ZREM', KEYS[2], ARGV[1])
  return 0
end
if tonumber(due) > tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[2], due, ARGV[1])
  return due
end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
-- One that comes late, because whoever had it died, does not take the place of a later one.
if redis.call('EXISTS', KEYS[3]) == 1 and tonumber(redis.call('GET', KEYS[4]) or '0') > tonumber(due) then return 0 end
redis.call('SET', KEYS[3], ARGV[1])
redis.call('SET', KEYS[4], due)
return 1
