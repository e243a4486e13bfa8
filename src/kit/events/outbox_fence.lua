#!lua flags=allow-oom
-- Takes an outbox away, so that no script can write any more, and moves the events that SQL does not have to a stream for
-- people.
-- KEYS: outbox stream, projected, lost
-- Returns the number of events that were moved
local outbox, projected_key, lost = unpack(KEYS)

local projected = redis.call('GET', projected_key)
local events = redis.call('XRANGE', outbox, projected and '(' .. projected or '-', '+')
for _, event in ipairs(events) do redis.call('XADD', lost, '*', 'event', event[1], unpack(event[2])) end
redis.call('DEL', outbox)
return #events
