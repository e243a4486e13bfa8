#!lua flags=allow-oom
-- Removes an outbox, so that no script can write any more, and keeps the events that SQL does not have in a stream for
-- people. If the outbox comes back and is removed once more, the events that it has by then are added to that stream.
-- KEYS: outbox stream, projected, lost
-- ARGV: id of the last projected event as it was when somebody found that Redis lacks others (0-0: none), the smallest id
--       above it
-- Returns the number of events that were kept; -1 if the last projected event has changed by now, so that Redis may no longer
-- lack anything
local outbox, projected_key, lost = unpack(KEYS)
local projected, keep_from = unpack(ARGV)

if (redis.call('GET', projected_key) or '0-0') ~= projected then return -1 end
if redis.call('EXISTS', outbox) == 0 then return 0 end
local before = redis.call('XLEN', lost)
if before == 0 then
  redis.call('RENAME', outbox, lost) -- any number of events in one step
  redis.call('XTRIM', lost, 'MINID', keep_from)
else
  for _, event in ipairs(redis.call('XRANGE', outbox, keep_from, '+')) do
    redis.call('XADD', lost, '*', 'event', event[1], unpack(event[2]))
  end
  redis.call('DEL', outbox)
end
local after = redis.call('XLEN', lost)
if after == 0 then redis.call('DEL', lost) end
return after - before
