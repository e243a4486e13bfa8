-- Says that somebody watches towns, so that they are updated more often. A town that nobody has watched before is due at once.
-- KEYS: watched, updates    ARGV: now ms, until ms; users
-- Returns how many towns are due earlier than before
local watched, updates = unpack(KEYS)
local now, until_ms = unpack(ARGV, 1, 2)

local earlier = 0
for i = 3, #ARGV do
  local user = ARGV[i]
  local before = redis.call('ZSCORE', watched, user)
  redis.call('ZADD', watched, until_ms, user)
  if not before or tonumber(before) <= tonumber(now) then
    earlier = earlier + redis.call('ZADD', updates, 'XX', 'LT', 'CH', now, user)
  end
end
redis.call('ZREMRANGEBYSCORE', watched, '-inf', '(' .. now)
return earlier
