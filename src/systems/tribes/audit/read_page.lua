-- Reads towns, and how far the events go at that moment.
-- KEYS: outbox; updates, dead set, leaderboard, jobs; for each town: text    ARGV: users, in the same order
-- Returns {id of the last event, 1 if all towns are about to become due; for each town: text ('' if there is none), due ms or
-- '', 1 if it is dead, coins on the leaderboard or ''}
local outbox, updates, dead, leaderboard, jobs = unpack(KEYS)

local last = '0-0'
if redis.call('EXISTS', outbox) == 1 then
  local info = redis.call('XINFO', 'STREAM', outbox)
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then last = info[i + 1] end
  end
end
local reply = {last, redis.call('ZSCORE', jobs, 'reschedule') and 1 or 0}
for i, user in ipairs(ARGV) do
  reply[#reply + 1] = redis.call('GET', KEYS[5 + i]) or ''
  reply[#reply + 1] = redis.call('ZSCORE', updates, user) or ''
  reply[#reply + 1] = redis.call('ZSCORE', dead, user) and 1 or 0
  reply[#reply + 1] = redis.call('ZSCORE', leaderboard, user) or ''
end
return reply
