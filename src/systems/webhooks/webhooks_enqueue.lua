#!lua flags=allow-oom
-- Queues deliveries of the packs between two places of the feed, and moves the place. Does nothing if the webhooks have changed
-- or another server has moved the place, so each event is queued once.
-- A full Redis allows it, because only then the feed can be trimmed; the deliveries that may wait have a limit.
-- KEYS: state, followed, due set; of each webhook: its lanes
-- ARGV: revision, place before, place after, now ms, deliveries of one webhook that may wait, lanes of a webhook, number of
--       webhooks; of each webhook: its id; of each delivery: webhook (1 is the first), lane (0 is the first), line
-- Returns 1, or 0 if nothing was done.
local state, followed, due_set = unpack(KEYS)
local revision, before, after, now, waiting_max, lanes, count = unpack(ARGV, 1, 7)
waiting_max, lanes, count = tonumber(waiting_max), tonumber(lanes), tonumber(count)
local keys_before, args_before = 3, 7

if (redis.call('HGET', state, 'revision') or '') ~= revision then return 0 end
if redis.call('GET', followed) ~= before then return 0 end

-- At least the time in microseconds, so that numbers also grow if Redis has lost the last one.
local number = math.max(tonumber(redis.call('HGET', state, 'number') or '0'), tonumber(now) * 1000)
local members = {}
for i = args_before + count + 1, #ARGV, 3 do
  local webhook, lane, line = tonumber(ARGV[i]), tonumber(ARGV[i + 1]), ARGV[i + 2]
  number = number + 1
  local text = string.format('%.0f', number)
  local key = KEYS[keys_before + (webhook - 1) * lanes + lane + 1]
  redis.call('ZADD', key, text, text .. ' ' .. now .. ' ' .. line)
  members[ARGV[args_before + webhook] .. ':' .. lane] = true
end
for webhook = 1, count do
  local waiting = 0
  for lane = 1, lanes do waiting = waiting + redis.call('ZCARD', KEYS[keys_before + (webhook - 1) * lanes + lane]) end
  if waiting > waiting_max then members[ARGV[args_before + webhook] .. ':over'] = true end
end
for member in pairs(members) do redis.call('ZADD', due_set, 'NX', now, member) end
redis.call('HSET', state, 'number', string.format('%.0f', number))
redis.call('SET', followed, after)
return 1
