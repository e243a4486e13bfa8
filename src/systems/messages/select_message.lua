-- include kit/limiter/bucket.lua
-- Selects what to say to a user: takes its token and writes down that it was said.
-- KEYS: version of the index, history, fresh, ready, waiting, rules (see message_index.hpp)
--       The two keys of the chosen message's bucket are named from the history's key and lie in its slot: which message
--       it is, only this script can know.
-- ARGV: now ms, most messages to look at in one call, seed
-- Returns {'selected', id, version of the message, tokens left, its score in the history, how many had never been sent, the
-- index of the one that was drawn among them}; {'none', when one may be sent ms, '' if there is none}; {'again'} if there was
-- too much to do for one call; {'unknown'} if there is no index.
local history, fresh, ready, waiting, rules = KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local now, most = tonumber(ARGV[1]), tonumber(ARGV[2])
if not string.find(redis.call('GET', KEYS[1]) or '', '^%d') then return {'unknown'} end

local function ms(moment) return string.format('%.0f', moment) end

-- Those whose tokens have come line up again, each where it was.
local due = redis.call('ZRANGEBYSCORE', waiting, '-inf', ARGV[1], 'LIMIT', 0, most)
if #due > 0 then
  local scores, line = redis.call('ZMSCORE', history, unpack(due)), {}
  for i, id in ipairs(due) do
    line[2 * i - 1], line[2 * i] = scores[i] or '0', id
  end
  redis.call('ZADD', ready, unpack(line))
  redis.call('ZREM', waiting, unpack(due))
  if #due == most then return {'again'} end
end

for _ = 1, most do
  local count, index, id = redis.call('ZCARD', fresh), 0, nil
  if count > 0 then
    math.randomseed(tonumber(ARGV[3]))
    index = math.random(0, count - 1)
    id = redis.call('ZRANGE', fresh, index, index)[1]
  else
    id = redis.call('ZRANGE', ready, 0, 0)[1]
  end
  if not id then
    local first = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
    return {'none', first[2] and ms(tonumber(first[2])) or ''}
  end

  local tokens, period, continuous, version = string.match(redis.call('HGET', rules, id), '(%d+) (%d+) (%d) (%d+)')
  local rule = {capacity = tonumber(tokens), period_ms = tonumber(period), continuous = continuous == '1'}
  local last_reset_key, tokens_key = bucket_keys(history .. ':' .. id)
  local found = redis.call('MGET', last_reset_key, tokens_key)
  local level, since = bucket_level(found[1], found[2], rule, now)
  local left = bucket_whole(level, rule) - 1
  if left >= 0 then
    bucket_put(last_reset_key, tokens_key, level - 1, since, rule, now)
    -- Later than all others, even within a millisecond, or if the clock went back.
    local last = redis.call('ZRANGE', history, -1, -1, 'WITHSCORES')[2]
    local score = string.format('%.6f', math.max(now / 1000, tonumber(last or '0') + 0.000001))
    redis.call('ZADD', history, score, id)
    if count > 0 then redis.call('ZREM', fresh, id) end
    if left > 0 then
      redis.call('ZADD', ready, score, id)
    else
      if count == 0 then redis.call('ZREM', ready, id) end
      redis.call('ZADD', waiting, ms(bucket_ready_at(level - 1, since, rule, 1, now)), id)
    end
    return {'selected', id, version, ms(left), score, ms(count), ms(index)}
  end
  redis.call('ZREM', count > 0 and fresh or ready, id)
  redis.call('ZADD', waiting, ms(bucket_ready_at(level, since, rule, 1, now)), id)
end
return {'again'}
