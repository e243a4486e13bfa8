-- include kit/limiter/bucket.lua
-- Brings what is known of some messages of a user up to date in the index from which messages are selected.
-- KEYS: version of the index, history, fresh, ready, waiting, rules (see message_index.hpp), then for each message the two
--       keys of its bucket
-- ARGV: version that the index must have, version that it has then, now ms, seconds that an empty index stays, then for each
--       message its id, 'active', 'inactive' or 'gone', tokens, period ms, continuous 0 or 1, version
-- Returns 1; 0 if the index has another version, and nothing is changed then. No index has the version 0, too.
local version, history, fresh, ready, waiting, rules = unpack(KEYS, 1, 6)
local now = tonumber(ARGV[3])
if (redis.call('GET', version) or '0') ~= ARGV[1] then return 0 end

for i = 0, (#ARGV - 4) / 6 - 1 do
  local id, state, tokens, period, continuous, row = unpack(ARGV, 5 + 6 * i, 10 + 6 * i)
  local last_reset_key, tokens_key = KEYS[7 + 2 * i], KEYS[8 + 2 * i]
  redis.call('ZREM', fresh, id)
  redis.call('ZREM', ready, id)
  redis.call('ZREM', waiting, id)
  if state == 'active' then
    redis.call('HSET', rules, id, table.concat({tokens, period, continuous, row}, ' '))
    local sent = redis.call('ZSCORE', history, id)
    if sent then
      local rule = {capacity = tonumber(tokens), period_ms = tonumber(period), continuous = continuous == '1'}
      local found = redis.call('MGET', last_reset_key, tokens_key)
      local level, since = bucket_level(found[1], found[2], rule, now)
      -- The rule may be another now, and with it how long the keys mean something.
      if found[1] then bucket_put(last_reset_key, tokens_key, level, since, rule, now) end
      if bucket_whole(level, rule) >= 1 then
        redis.call('ZADD', ready, sent, id)
      else
        redis.call('ZADD', waiting, string.format('%.0f', bucket_ready_at(level, since, rule, 1, now)), id)
      end
    else
      redis.call('ZADD', fresh, id, id)
    end
  else
    redis.call('HDEL', rules, id)
    if state == 'gone' then
      redis.call('ZREM', history, id)
      redis.call('DEL', last_reset_key, tokens_key)
    end
  end
end
redis.call('SET', version, ARGV[2])
-- That a user has no messages is worth remembering only for a while.
if redis.call('EXISTS', rules, history) == 0 then redis.call('EXPIRE', version, ARGV[4]) end
return 1
