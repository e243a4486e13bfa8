-- include kit/limiter/bucket.lua
-- Selects the message to send to a user. Takes a token of its bucket and records it in the history.
-- KEYS: history, line, waiting, index (see index_keys.hpp)
-- The script builds the two keys of the chosen message's bucket itself, from the history's key and in its slot: only
-- the script knows which message it chooses.
-- ARGV: now ms, now in microseconds (if possible, different for each selection of one millisecond), most messages to look at
--       in one call, seed
-- Returns {'selected', id, version of the message, tokens left, its score in the history, how many messages had never been
-- sent, index of the drawn one among them}; {'none', ms when one may be sent, '' if there is none}; {'again'} if there was
-- too much to do for one call; {'unknown'} if there is no index.
local history, line, waiting, index = unpack(KEYS)
local now_ms, now_us, most, seed = unpack(ARGV)

local now = tonumber(now_ms)
most = tonumber(most)

local function whole(number) return string.format('%.0f', number) end
local function seconds(us) return string.sub(us, 1, -7) .. '.' .. string.sub(us, -6) end
local function rule_of(text)
  local tokens, period, continuous, version = string.match(text, '(%d+) (%d+) (%d) (%d+)')
  return {capacity = tonumber(tokens), period_ms = tonumber(period), continuous = continuous == '1'}, version
end
local function look(id, rule)
  local bucket = history .. ':' .. id
  local last_reset_key, tokens_key = bucket .. ':last_reset', bucket .. ':tokens'
  local found = redis.call('MGET', last_reset_key, tokens_key)
  local level, since = bucket_level(found[1], found[2], rule, now)
  return level, since, last_reset_key, tokens_key
end
local function wait(id, level, since, rule)
  redis.call('ZREM', line, id)
  redis.call('ZADD', waiting, whole(bucket_ready_at(level, since, rule, 1, now)), id)
end

-- Messages that have a token again go back to their places in the line.
if redis.call('ZCOUNT', waiting, '-inf', now_ms) > 0 then
  local due = redis.call('ZRANGEBYSCORE', waiting, '-inf', now_ms, 'LIMIT', 0, most)
  local scores, places = redis.call('ZMSCORE', history, unpack(due)), {}
  for i, id in ipairs(due) do
    places[2 * i - 1], places[2 * i] = whole(tonumber(scores[i] or 0) * 1000000), id
  end
  redis.call('ZADD', line, unpack(places))
  redis.call('ZREM', waiting, unpack(due))
  if #due == most then return {'again'} end
end

for _ = 1, most do
  local count, drawn = redis.call('ZCOUNT', line, 0, 0), 0
  if count > 0 then
    math.randomseed(tonumber(seed))
    drawn = math.random(0, count - 1)
  end
  local id = redis.call('ZRANGE', line, drawn, drawn)[1]
  if not id then
    -- The version is a number, unless the index is being built.
    if not tonumber(redis.call('HGET', index, 'version') or '') then return {'unknown'} end
    local soonest, ready_at = unpack(redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES'))
    if not soonest then return {'none', ''} end
    local text = redis.call('HGET', index, soonest)
    if not text then
      redis.call('ZREM', waiting, soonest)
      return {'again'}
    end
    local rule = rule_of(text)
    if tonumber(ready_at) > now + rule.period_ms + BUCKET_SLACK_MS then
      -- The message waits longer than its rule allows, so a wrong clock has put it there.
      local level, since, last_reset_key, tokens_key = look(soonest, rule)
      bucket_put(last_reset_key, tokens_key, level, since, rule, now)
      wait(soonest, level, since, rule)
      return {'again'}
    end
    return {'none', whole(ready_at)}
  end
  local known = redis.call('HMGET', index, 'version', id)
  if not tonumber(known[1] or '') then return {'unknown'} end
  if not known[2] then
    redis.call('ZREM', line, id)
  else
    local rule, version = rule_of(known[2])
    local level, since, last_reset_key, tokens_key = look(id, rule)
    local left = level - 1
    if left < 0 then
      wait(id, level, since, rule)
    else
      bucket_take(last_reset_key, tokens_key, level, since, rule, 1, now)
      -- The new score must be above all others, even if the clock went back.
      local sent_us = now_us
      if redis.call('ZCOUNT', history, seconds(sent_us), '+inf') > 0 then
        sent_us = whole(redis.call('ZRANGE', history, -1, -1, 'WITHSCORES')[2] * 1000000 + 1)
      end
      local score = seconds(sent_us)
      redis.call('ZADD', history, score, id)
      if left > 0 then
        redis.call('ZADD', line, sent_us, id)
      else
        wait(id, left, since, rule)
      end
      return {'selected', id, version, left, score, count, drawn}
    end
  end
end
return {'again'}
