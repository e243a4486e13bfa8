-- include kit/limiter/bucket.lua
-- Selects what to say to a user: takes its token and writes down that it was said.
-- KEYS: history, line, waiting, index (see message_index.hpp)
--       The two keys of the chosen message's bucket are named from the history's key and lie in its slot: which message
--       it is, only this script can know.
-- ARGV: now ms, most messages to look at in one call, seed
-- Returns {'selected', id, version of the message, tokens left, its score in the history, how many had never been sent, the
-- index of the one that was drawn among them}; {'none', when one may be sent ms, '' if there is none}; {'again'} if there was
-- too much to do for one call; {'unknown'} if there is no index.
local history, line, waiting, index = unpack(KEYS)
local now, most = tonumber(ARGV[1]), tonumber(ARGV[2])

local function ms(moment) return string.format('%.0f', moment) end
local function is_known(version) return version and not string.find(version, '^building') end

-- Those whose tokens have come line up again, each where it was.
local due = redis.call('ZRANGEBYSCORE', waiting, '-inf', ARGV[1], 'LIMIT', 0, most)
if #due > 0 then
  local scores, places = redis.call('ZMSCORE', history, unpack(due)), {}
  for i, id in ipairs(due) do
    places[2 * i - 1], places[2 * i] = ms(tonumber(scores[i] or 0) * 1000000), id
  end
  redis.call('ZADD', line, unpack(places))
  redis.call('ZREM', waiting, unpack(due))
  if #due == most then return {'again'} end
end

for _ = 1, most do
  local first = redis.call('ZRANGE', line, 0, 0, 'WITHSCORES')
  local id, count, drawn = first[1], 0, 0
  if not id then
    if not is_known(redis.call('HGET', index, 'version')) then return {'unknown'} end
    local soonest = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
    return {'none', soonest[2] and ms(tonumber(soonest[2])) or ''}
  end
  if first[2] == '0' then
    count = redis.call('ZCOUNT', line, 0, 0)
    math.randomseed(tonumber(ARGV[3]))
    drawn = math.random(0, count - 1)
    id = redis.call('ZRANGE', line, drawn, drawn)[1]
  end

  local known = redis.call('HMGET', index, 'version', id)
  if not is_known(known[1]) then return {'unknown'} end
  local tokens, period, continuous, version = string.match(known[2], '(%d+) (%d+) (%d) (%d+)')
  local rule = {capacity = tonumber(tokens), period_ms = tonumber(period), continuous = continuous == '1'}
  local last_reset_key, tokens_key = bucket_keys(history .. ':' .. id)
  local found = redis.call('MGET', last_reset_key, tokens_key)
  local level, since = bucket_level(found[1], found[2], rule, now)
  local left = level - 1
  if left >= 0 then
    bucket_take(last_reset_key, tokens_key, level, since, rule, 1, now)
    -- Later than all others, even within a millisecond, or if the clock went back.
    local last = tonumber(redis.call('ZRANGE', history, -1, -1, 'WITHSCORES')[2] or 0)
    local sent_us = math.max(now * 1000, math.floor(last * 1000000 + 1.5))
    local score = string.format('%.6f', sent_us / 1000000)
    redis.call('ZADD', history, score, id)
    if left > 0 then
      redis.call('ZADD', line, ms(sent_us), id)
    else
      redis.call('ZREM', line, id)
      redis.call('ZADD', waiting, ms(bucket_ready_at(left, since, rule, 1, now)), id)
    end
    return {'selected', id, version, ms(left), score, ms(count), ms(drawn)}
  end
  redis.call('ZREM', line, id)
  redis.call('ZADD', waiting, ms(bucket_ready_at(level, since, rule, 1, now)), id)
end
return {'again'}
