-- include kit/limiter/bucket.lua
-- Takes tokens out of every bucket, or out of none if one has too few. With cost 0 a bucket is only looked at.
-- KEYS: for each bucket: last reset, tokens    ARGV: now ms, then for each: capacity, period ms, continuous 0|1, cost
-- Returns {whether taken, then for each bucket: whole tokens left, when it has its cost (again), when it is full}
local now = tonumber(ARGV[1])
local values = redis.call('MGET', unpack(KEYS))
local buckets, enough = {}, true
for i = 1, #KEYS / 2 do
  local at = 4 * i - 2
  local rule = {capacity = tonumber(ARGV[at]), period_ms = tonumber(ARGV[at + 1]), continuous = ARGV[at + 2] == '1'}
  local cost = tonumber(ARGV[at + 3])
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
