#!lua flags=allow-oom
-- Takes an event out of the dead events of an outbox: it is tried again, or forgotten.
-- KEYS: dead events, [events to retry] (left out: the event is forgotten)    ARGV: id in the stream of dead events
-- Returns 1, or 0 if that stream has no such event.
local dead, retry = unpack(KEYS)
local at = ARGV[1]

local found = redis.call('XRANGE', dead, at, at)[1]
if not found then return 0 end
if retry then redis.call('XADD', retry, '*', unpack(found[2])) end
redis.call('XDEL', dead, at)
if redis.call('XLEN', dead) == 0 then redis.call('DEL', dead) end
return 1
