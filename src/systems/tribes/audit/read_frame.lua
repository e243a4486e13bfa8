-- Reads what a world has besides its towns, and how far the events go at that moment.
-- KEYS: outbox; text and revision of the world, jobs, dead jobs, dead towns, goals, moment that towns have reached
-- ARGV: none
-- Returns {id of the last event, text ('' if there is none), revision or '', that moment or '', {jobs}, {dead jobs}, {dead
-- towns}, {users who reached the goal}}
local outbox, text, revision, jobs, dead_jobs, dead_towns, goals, reached = unpack(KEYS)

local last = '0-0'
if redis.call('EXISTS', outbox) == 1 then
  local info = redis.call('XINFO', 'STREAM', outbox)
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then last = info[i + 1] end
  end
end
return {
  last, redis.call('GET', text) or '', redis.call('GET', revision) or '', redis.call('GET', reached) or '',
  redis.call('ZRANGE', jobs, 0, -1), redis.call('ZRANGE', dead_jobs, 0, -1), redis.call('ZRANGE', dead_towns, 0, -1),
  redis.call('ZRANGE', goals, 0, -1)
}
