#!lua flags=allow-oom
-- Stores how far SQL has committed, drops these events, and gives the lease back if told to or if nothing is left.
-- KEYS: outbox stream, lease, projected
-- ARGV: owner, id of the last projected event, the smallest id above it, release (1 or 0)
-- Returns the number of dropped events.
local outbox, lease, projected_key = unpack(KEYS)
local me, last, keep_from, release = unpack(ARGV)

-- The position never moves back. If there is no event between the two positions, they mean the same.
local projected = redis.call('GET', projected_key) or '0-0'
if #redis.call('XRANGE', outbox, '(' .. projected, last, 'COUNT', 1) > 0 then redis.call('SET', projected_key, last) end
local trimmed = redis.call('XTRIM', outbox, 'MINID', keep_from)
if (release == '1' or redis.call('XLEN', outbox) == 0) and redis.call('GET', lease) == me then
  redis.call('DEL', lease)
end
return trimmed
