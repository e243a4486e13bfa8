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
local function rule_of(text)
  local tokens, period, continuous, version = string.match(text, '(%d+) (%d+) (%d) (%d+)')
  return {capacity = tonumber(tokens), period_ms = tonumber(period), continuous = continuous == '1'}, version
end
local function look(id, rule)
  local last_reset_key, tokens_key = bucket_keys(history .. ':' .. id)
  local found = redis.call('MGET', last_reset_key, tokens_key)
  local level, since = bucket_level(found[1], found[2], rule, now)
  return level, since, last_reset_key, tokens_key
end
local function wait(id, level, since, rule)
  redis.call('ZREM', line, id)
  redis.call('ZADD', waiting, ms(bucket_ready_at(level, since, rule, 1, now)), id)
end

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

-- Those that wait longer than their rule can make them were put there by a clock that was wrong.
local function heal(id, ready_at)
  local text = redis.call('HGET', index, id)
  if not text then return redis.call('ZREM', waiting, id) end
  local rule = rule_of(text)
  if ready_at <= now + rule.period_ms + BUCKET_SLACK_MS then return nil end
  local level, since, last_reset_key, tokens_key = look(id, rule)
  bucket_put(last_reset_key, tokens_key, level, since, rule, now)
  wait(id, level, since, rule)
  return 1
end

for _ = 1, most do
  local first = redis.call('ZRANGE', line, 0, 0, 'WITHSCORES')
  local id, count, drawn = first[1], 0, 0
  if not id then
    if not is_known(redis.call('HGET', index, 'version')) then return {'unknown'} end
    local soonest = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
    if not soonest[1] then return {'none', ''} end
    if heal(soonest[1], tonumber(soonest[2])) then return {'again'} end
    return {'none', ms(tonumber(soonest[2]))}
  end
  if first[2] == '0' then
    count = redis.call('ZCOUNT', line, 0, 0)
    math.randomseed(tonumber(ARGV[3]))
    drawn = math.random(0, count - 1)
    id = redis.call('ZRANGE', line, drawn, drawn)[1]
  end

  local known = redis.call('HMGET', index, 'version', id)
  if not is_known(known[1]) then return {'unknown'} end
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
      -- Later than all others, even within a millisecond, or if the clock went back.
      local last = tonumber(redis.call('ZRANGE', history, -1, -1, 'WITHSCORES')[2] or 0)
      local sent_us = math.max(now * 1000, math.floor(last * 1000000 + 1.5))
      local score = string.format('%.6f', sent_us / 1000000)
      redis.call('ZADD', history, score, id)
      if left > 0 then
        redis.call('ZADD', line, ms(sent_us), id)
      else
        wait(id, left, since, rule)
      end
      return {'selected', id, version, ms(left), score, ms(count), ms(drawn)}
    end
  end
end
return {'again'}
