#!lua flags=allow-oom
-- Takes or renews the lease on an outbox, after its oldest events were read and before they are projected.
-- KEYS: outbox stream, lease, projected
-- ARGV: owner, lease ms, id of the last event that was read
-- Returns {1, id of the last projected event (0-0: none)}; {0} if another projector holds the lease; {-1} if that event is
-- missing or already projected.
-- This script is a write that comes after the events, so replicas confirm it only together with the events. So nothing is
-- projected that a failover could still undo. If a failover came in between and undid them, the script returns {-1}.
local outbox, lease, projected_key = unpack(KEYS)
local me, lease_ms, last_read = unpack(ARGV)

local owner = redis.call('GET', lease)
if owner and owner ~= me then return {0} end
if #redis.call('XRANGE', outbox, last_read, last_read) == 0 then return {-1} end
local projected = redis.call('GET', projected_key)
if projected and #redis.call('XRANGE', outbox, '(' .. projected, last_read, 'COUNT', 1) == 0 then return {-1} end
redis.call('SET', lease, me, 'PX', lease_ms)
return {1, projected or '0-0'}
