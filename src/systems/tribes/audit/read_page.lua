-- Reads towns with everything that follows from them, and how far the events go at that moment.
-- KEYS: outbox; updates, leaderboard, jobs, names, goals; for each town: text, revision, coins, pizzas, zone of its field
-- ARGV: for each town: user, field
-- Returns {id of the last event, 1 if all towns are about to become due; for each town: {text ('' if there is none), revision or
-- '', due ms or '', coins on the leaderboard or '', what the names say or '', user on its field or '', game ms of its goal or
-- '', type of coins, type of pizzas}}
local outbox, updates, leaderboard, jobs, names, goals = unpack(KEYS)

local last = '0-0'
if redis.call('EXISTS', outbox) == 1 then
  local info = redis.call('XINFO', 'STREAM', outbox)
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then last = info[i + 1] end
  end
end
local reply = {last, redis.call('ZSCORE', jobs, 'reschedule') and 1 or 0}
for i = 1, #ARGV / 2 do
  local user, field = ARGV[2 * i - 1], ARGV[2 * i]
  local text, revision, coins, pizzas, zone = unpack(KEYS, 5 * i + 2, 5 * i + 6)
  reply[2 + i] = {
    redis.call('GET', text) or '', redis.call('GET', revision) or '', redis.call('ZSCORE', updates, user) or '',
    redis.call('ZSCORE', leaderboard, user) or '', redis.call('HGET', names, user) or '', redis.call('HGET', zone, field) or '',
    redis.call('ZSCORE', goals, user) or '', redis.call('TYPE', coins).ok, redis.call('TYPE', pizzas).ok
  }
end
return reply
