#!lua flags=allow-oom
-- Moves an event that SQL refuses to the dead events of its outbox.
-- KEYS: stream that has the event (the outbox, or its events to retry), dead events
-- ARGV: id in that stream, id of the event, why, number of words in front of the event's own fields
-- Returns 1, or 0 if the stream no longer has the event.
-- An entry of the dead events, and of the events to retry, has the fields event (its id) and why, then those of the event.
local from, dead = unpack(KEYS)
local at, event, why, skip = unpack(ARGV)

local found = redis.call('XRANGE', from, at, at)[1]
if not found then return 0 end
redis.call('XADD', dead, '*', 'event', event, 'why', why, unpack(found[2], skip + 1))
redis.call('XDEL', from, at)
if skip ~= '0' and redis.call('XLEN', from) == 0 then redis.call('DEL', from) end -- never the outbox
return 1
