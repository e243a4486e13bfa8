-- Counts a failed attempt at a claimed member: it is due again at the retry time, or after the last attempt it is
-- buried in the dead set with the reason. One that is finished, rescheduled or claimed anew is left alone.
-- KEYS: due set, failures, dead set, reasons
-- ARGV: member, lease end ms, attempts max, retry at ms, now ms, why
-- Returns how many attempts have failed, 0 if it was left alone.
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then return 0 end
local attempts = redis.call('HINCRBY', KEYS[2], ARGV[1], 1)
if attempts < tonumber(ARGV[3]) then
  redis.call('ZADD', KEYS[1], ARGV[4], ARGV[1])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
  redis.call('ZADD', KEYS[3], ARGV[5], ARGV[1])
  redis.call('HSET', KEYS[4], ARGV[1], ARGV[6])
end
return attempts
