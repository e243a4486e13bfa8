-- include kit/limiter/bucket.lua
-- Gives back the tokens of an earlier take. A bucket that was reset since then, or is full, gets nothing. A continuous bucket
-- gets only the tokens that have not come by themselves since then: it may have been full in between.
-- KEYS: for each bucket: last reset, tokens
-- ARGV: now ms, taken at ms; for each bucket: capacity, period ms, continuous (1 or 0), cost
-- Returns {for each bucket: the number of tokens that it got}
local now, taken_at = tonumber(ARGV[1]), tonumber(ARGV[2])
local values = redis.call('MGET', unpack(KEYS))
local reply = {}
for i = 1, #KEYS / 2 do
  local capacity, period_ms, continuous, cost = unpack(ARGV, 4 * i - 1, 4 * i + 2)
  local rule = {capacity = tonumber(capacity), period_ms = tonumber(period_ms), continuous = continuous == '1'}
  local back = tonumber(cost)
  local level, since = bucket_level(values[2 * i - 1], values[2 * i], rule, now)
  if rule.continuous then
    local passed = math.min(math.max(now - taken_at, 0), rule.period_ms)
    back = back - bucket_divide(passed, rule.capacity, rule.period_ms)
  elseif since.at > taken_at then
    back = 0
  end
  back = math.max(math.min(back, rule.capacity - level), 0)
  if level + back == rule.capacity then since = {at = now, part = 0} end -- a full bucket has no last reset
  if back > 0 then bucket_put(KEYS[2 * i - 1], KEYS[2 * i], level + back, since, rule, now) end
  reply[i] = back
end
return reply
