-- Brings a member back from the dead, its attempts forgotten. If it was scheduled anew meanwhile, that time stands.
-- KEYS: due set, failures, dead set, reasons    ARGV: member, due ms
-- Returns 1, or 0 if it is not among the dead.
if redis.call('ZREM', KEYS[3], ARGV[1]) == 0 then return 0 end
redis.call('HDEL', KEYS[4], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])
return 1
