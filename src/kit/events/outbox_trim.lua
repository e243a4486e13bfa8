#!lua flags=allow-oom
-- Drops the events that SQL has committed, and gives the lease back if told to or if nothing is left.
-- KEYS: outbox stream, lease    ARGV: owner, first id to keep, release (1 or 0)
-- Returns the number of dropped events.
local outbox, lease = unpack(KEYS)
local me, keep_from, release = unpack(ARGV)

local trimmed = redis.call('XTRIM', outbox, 'MINID', keep_from)
if (release == '1' or redis.call('XLEN', outbox) == 0) and redis.call('GET', lease) == me then
  redis.call('DEL', lease)
end
return trimmed
