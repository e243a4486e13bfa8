-- Lets a delivery be made again. It comes before all deliveries of its lane with greater numbers. If it still waits, it is due
-- now.
-- KEYS: lane, delivered, due set    ARGV: number, entry, member, now ms
-- Returns 1.
local lane, delivered, due_set = unpack(KEYS)
local number, entry, member, now = unpack(ARGV)

if redis.call('ZCOUNT', lane, number, number) == 0 then redis.call('ZADD', lane, number, entry) end
redis.call('ZREMRANGEBYSCORE', delivered, number, number)
redis.call('ZADD', due_set, 'LT', now, member)
return 1
