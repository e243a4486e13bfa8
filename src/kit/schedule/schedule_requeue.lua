#!lua flags=allow-oom
-- Moves a member from the dead set back to the due set and resets its failed attempts. If the member was scheduled again
-- meanwhile, it keeps that due time.
-- KEYS: due set, failures, dead set, reasons    ARGV: member, due ms
-- Returns 1, or 0 if the member is not in the dead set.
local due_set, failures, dead_set, reasons = unpack(KEYS)
local member, due = unpack(ARGV)

if redis.call('ZREM', dead_set, member) == 0 then return 0 end
redis.call('HDEL', reasons, member)
redis.call('HDEL', failures, member)
redis.call('ZADD', due_set, 'NX', due, member)
return 1
