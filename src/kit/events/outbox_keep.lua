#!lua flags=allow-oom
-- Stores how far SQL has committed, drops projected events that are not among the newest, and gives the lease back if told to
-- or if nothing is left to project.
-- KEYS: outbox stream, lease, projected
-- ARGV: owner, id of the last projected event, release (1 or 0), events to keep, events to drop at most
-- Returns the number of dropped events.
local outbox, lease, projected_key = unpack(KEYS)
local me, last, release, keep, forget_max = unpack(ARGV)

local projected = redis.call('GET', projected_key) or '0-0'
-- The position never moves back. If there is no event between the two positions, they mean the same.
if #redis.call('XRANGE', outbox, '(' .. projected, last, 'COUNT', 1) > 0 then
  projected = last
  redis.call('SET', projected_key, projected)
end

-- Does not trim each time: dropping hundreds of events at once costs little more than dropping one.
local length, forgotten = redis.call('XLEN', outbox), 0
keep = tonumber(keep)
if length - keep > keep / 8 then
  local most = math.min(length - keep, tonumber(forget_max))
  forgotten = #redis.call('XRANGE', outbox, '-', projected, 'COUNT', most)
  if forgotten > 0 then redis.call('XTRIM', outbox, 'MAXLEN', length - forgotten) end
end

if release == '1' or #redis.call('XRANGE', outbox, '(' .. projected, '+', 'COUNT', 1) == 0 then
  if redis.call('GET', lease) == me then redis.call('DEL', lease) end
end
return forgotten
