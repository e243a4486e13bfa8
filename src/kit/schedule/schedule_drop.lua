#!lua flags=allow-oom
-- Forgets a member of the dead set. If the member was scheduled again meanwhile, it stays scheduled.
-- KEYS: dead set, reasons    ARGV: member
-- Returns 1, or 0 if the member is not in the dead set.
local dead_set, reasons = unpack(KEYS)
local member = ARGV[1]

redis.call('HDEL', reasons, member)
return redis.call('ZREM', dead_set, member)
