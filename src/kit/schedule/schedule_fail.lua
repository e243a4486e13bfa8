#!lua flags=allow-oom
-- Counts a failed attempt at a claimed member. The member is due again at the retry time; after the last attempt it moves to
-- the dead set with the reason. A member that was finished, rescheduled or claimed again is left alone.
-- KEYS: due set, failures, dead set, reasons
-- ARGV: member, lease end ms, attempts max, retry at ms, now ms, why
-- Returns the number of failed attempts, or 0 if the member was left alone.
local due_set, failures, dead_set, reasons = unpack(KEYS)
local member, lease_end, attempts_max, retry_at, now, why = unpack(ARGV)

local score = redis.call('ZSCORE', due_set, member)
if not score or tonumber(score) ~= tonumber(lease_end) then return 0 end
local attempts = redis.call('HINCRBY', failures, member, 1)
if attempts < tonumber(attempts_max) then
  redis.call('ZADD', due_set, retry_at, member)
else
  redis.call('ZREM', due_set, member)
  redis.call('HDEL', failures, member)
  redis.call('ZADD', dead_set, now, member)
  redis.call('HSET', reasons, member, why)
end
return attempts
