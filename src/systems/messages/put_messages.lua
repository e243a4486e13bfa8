-- include kit/limiter/bucket.lua
-- Brings some messages of a user up to date in the index.
-- KEYS: history, line, waiting, index (see index_keys.hpp); for each message: last_reset and tokens of its bucket
-- ARGV: version that the index must have (0: no index), version that it gets, now ms, seconds for which an empty index stays;
--       for each message: id, state (active, inactive, gone), tokens, period ms, continuous (1 or 0), version
-- Returns nil. If the index has another version, changes nothing and returns that version; '0' means that there is no index.
local history, line, waiting, index = unpack(KEYS, 1, 4)
local before, after, now_ms, empty_s = unpack(ARGV, 1, 4)

local now = tonumber(now_ms)
local has = redis.call('HGET', index, 'version') or '0'
if has ~= before then return has end

for i = 0, (#ARGV - 4) / 6 - 1 do
  local id, state, tokens, period, continuous, row = unpack(ARGV, 5 + 6 * i, 10 + 6 * i)
  local last_reset_key, tokens_key = KEYS[5 + 2 * i], KEYS[6 + 2 * i]
  redis.call('ZREM', line, id)
  redis.call('ZREM', waiting, id)
  if state == 'active' then
    redis.call('HSET', index, id, table.concat({tokens, period, continuous, row}, ' '))
    local sent = redis.call('ZSCORE', history, id)
    if sent then
      local rule = {capacity = tonumber(tokens), period_ms = tonumber(period), continuous = continuous == '1'}
      local found = redis.call('MGET', last_reset_key, tokens_key)
      local level, since = bucket_level(found[1], found[2], rule, now)
      -- The rule may have changed, and with it the expiry of the bucket's keys.
      if found[1] then bucket_put(last_reset_key, tokens_key, level, since, rule, now) end
      if level >= 1 then
        redis.call('ZADD', line, string.format('%.0f', tonumber(sent) * 1000000), id)
      else
        redis.call('ZADD', waiting, string.format('%.0f', bucket_ready_at(level, since, rule, 1, now)), id)
      end
    else
      redis.call('ZADD', line, 0, id)
    end
  else
    redis.call('HDEL', index, id)
    if state == 'gone' then
      redis.call('ZREM', history, id)
      redis.call('DEL', last_reset_key, tokens_key)
    end
  end
end
redis.call('HSET', index, 'version', after)
-- It is enough to remember for a while that a user has no messages.
if redis.call('HLEN', index) == 1 and redis.call('EXISTS', history) == 0 then
  redis.call('EXPIRE', index, empty_s)
else
  redis.call('PERSIST', index)
end
return false
