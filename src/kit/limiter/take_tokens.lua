-- include kit/limiter/bucket.lua
-- Takes tokens from every bucket, or from none if one has too few. A bucket with cost 0 is only looked at.
-- KEYS: for each bucket: last reset, tokens
-- ARGV: now ms; for each bucket: capacity, period ms, continuous (1 or 0), cost
-- Returns {1 if taken, else 0; then for each bucket: whole tokens left, when `cost` tokens are available again (ms), when it is
-- full (ms)}
local now = tonumber(ARGV[1])
local values = redis.call('MGET', unpack(KEYS))
local buckets, enough = {}, true
for i = 1, #KEYS / 2 do
  local capacity, period_ms, continuous, cost = unpack(ARGV, 4 * i - 2, 4 * i + 1)
  local rule = {capacity = tonumber(capacity), period_ms = tonumber(period_ms), continuous = continuous == '1'}
  cost = tonumber(cost)
  local level, since = bucket_level(values[2 * i - 1], values[2 * i], rule, now)
  buckets[i] = {rule = rule, cost = cost, level = level, since = since}
  if level < cost then enough = false end
end
local reply = {enough and 1 or 0}
for i, bucket in ipairs(buckets) do
  if enough and bucket.cost > 0 then
    bucket.level = bucket.level - bucket.cost
    bucket_put(KEYS[2 * i - 1], KEYS[2 * i], bucket.level, bucket.since, bucket.rule, now)
  end
  reply[#reply + 1] = bucket.level
  reply[#reply + 1] = bucket_ready_at(bucket.level, bucket.since, bucket.rule, bucket.cost, now)
  reply[#reply + 1] = bucket_full_at(bucket.level, bucket.since, bucket.rule, now)
end
return reply
