-- Reads the oldest events of an outbox for the one projector that holds its lease.
-- KEYS: outbox stream, lease    ARGV: owner, lease ms, count
-- Returns {1, events}, or {0} if another projector holds the lease. Where there is nothing, nobody keeps one.
-- The lease is written in the same call as the events are read: once a replica has the lease it has the events
-- too, so nothing is projected that a failover could still undo.
local owner = redis.call('GET', KEYS[2])
if redis.call('XLEN', KEYS[1]) == 0 then
  if owner == ARGV[1] then
    redis.call('DEL', KEYS[2])
  end
  return {1, {}}
end
if owner and owner ~= ARGV[1] then
  return {0}
end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return {1, redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', ARGV[3])}
