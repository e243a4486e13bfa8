-- Says that the webhooks have changed, so that every server reads them again. If `follow` is 1, the feed is followed from now
-- on. Deliveries in the given lanes are due now.
-- KEYS: state, feed, followed, due set; lanes    ARGV: now ms, follow; the member of each lane
-- Returns the new revision.
local state, feed, followed, due_set = unpack(KEYS)
local now, follow = tonumber(ARGV[1]), ARGV[2] == '1'

-- At least the time, so that a Redis that was emptied does not have a revision again that a server knows.
local revision = math.max(tonumber(redis.call('HGET', state, 'revision') or '0') + 1, now)
if follow and redis.call('EXISTS', followed) == 0 then
  local newest = redis.call('XREVRANGE', feed, '+', '-', 'COUNT', 1)
  local place = newest[1] and newest[1][1] or redis.call('XADD', feed, '*', 'events', '')
  redis.call('SET', followed, place)
end
for i = 5, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 then redis.call('ZADD', due_set, 'LT', now, ARGV[i - 2]) end
end
local text = string.format('%.0f', revision)
redis.call('HSET', state, 'revision', text)
return text
