#!lua flags=allow-oom
-- Removes deliveries from their lane that were made or have died. If others are left, the lane is due again then.
-- KEYS: lane, delivered, troubles, due set
-- ARGV: member, due ms, deliveries to keep, lane, why its first delivery waits (or ''); of each delivery that has ended: its
--       entry, its number, what to keep of it (or '')
-- Returns how many are left.
local lane, delivered, troubles, due_set = unpack(KEYS)
local member, due, kept_max, lane_name, trouble = unpack(ARGV, 1, 5)

for i = 6, #ARGV, 3 do
  local entry, number, record = unpack(ARGV, i, i + 2)
  -- If the delivery was made twice, only the first one is kept.
  if redis.call('ZREM', lane, entry) == 1 and record ~= '' then redis.call('ZADD', delivered, number, record) end
end
redis.call('ZREMRANGEBYRANK', delivered, 0, -tonumber(kept_max) - 1)
local left = redis.call('ZCARD', lane)
if left == 0 or trouble == '' then
  redis.call('HDEL', troubles, lane_name)
else
  redis.call('HSET', troubles, lane_name, trouble)
end
if left == 0 then
  redis.call('ZREM', due_set, member)
else
  redis.call('ZADD', due_set, due, member)
end
return left
