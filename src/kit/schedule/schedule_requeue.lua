-- Brings a member back from the dead, its attempts forgotten. If it was scheduled anew meanwhile, that time stands.
-- KEYS: due set, failures, dead set, reasons    ARGV: member, due ms
-- Returns 1, or 0 if it is not among the dead.
local due_set, failures, dead_set, reasons = unpack(KEYS)
local member, due = unpack(ARGV)

if redis.call('ZREM', dead_set, member) == 0 then return 0 end
redis.call('HDEL', reasons, member)
redis.call('HDEL', failures, member)
redis.call('ZADD', due_set, 'NX', due, member)
return 1
