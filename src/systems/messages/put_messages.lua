-- include kit/limiter/bucket.lua
-- Brings what is known of some messages of a user up to date in the index from which messages are selected.
-- KEYS: history, line, waiting, index (see index_keys.hpp); of each message: last reset, tokens (of its bucket)
-- ARGV: version that the index must have, version that it has then, now ms, seconds that an empty index stays;
--       of each message: id, state (active, inactive, gone), tokens, period ms, continuous (1 or 0), version
-- Returns nil; if the index has another version, that version, and nothing is changed. No index has the version 0.
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
      -- The rule may be another now, and with it how long the keys mean something.
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
-- That a user has no messages is worth remembering only for a while.
if redis.call('HLEN', index) == 1 and redis.call('EXISTS', history) == 0 then
  redis.call('EXPIRE', index, empty_s)
else
  redis.call('PERSIST', index)
end
return false
