-- Takes or renews the lease on an outbox after its oldest events were read, before they are projected.
-- KEYS: outbox stream, lease, and if it keeps projected events: projected
-- ARGV: owner, lease ms, id of the last event that was read
-- Returns 1; 0 if another projector holds the lease; -1 if that event is not here, or projected already.
-- Being a write behind the events, it is confirmed by replicas only together with them: so nothing is projected
-- that a failover could still undo, and if one came in between, -1 tells.
local owner = redis.call('GET', KEYS[2])
if owner and owner ~= ARGV[1] then return 0 end
if #redis.call('XRANGE', KEYS[1], ARGV[3], ARGV[3]) == 0 then return -1 end
local projected = KEYS[3] and redis.call('GET', KEYS[3])
if projected and #redis.call('XRANGE', KEYS[1], '(' .. projected, ARGV[3], 'COUNT', 1) == 0 then return -1 end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return 1
