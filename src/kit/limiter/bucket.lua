-- Token buckets, filled lazily: nothing happens to a bucket between two reads.
-- KEYS and ARGV: those of the script that includes it
-- A bucket is two keys: `<name>:last_reset`, a time in epoch seconds, and `<name>:tokens`, the tokens at that time. Without
-- these keys, the bucket is full. A rule is {capacity, period_ms, continuous}. Not continuous: all tokens come at once, one
-- period after the last reset. Continuous: the tokens come one after the other, `capacity` of them in a period; every take
-- sets the last reset, and the tokens have decimals, which are the part of the next token that had come by then.
-- Everything is computed in whole numbers, so nothing drifts: capacity up to 10^9, period up to 10^12 ms.
local BUCKET_SLACK_MS = 60000 -- how far clocks may differ

-- a * b / c as a whole number, and the remainder. Exact for a and c up to 10^12 and b up to 10^9: b is used ten bits at a
-- time, so that no step exceeds the whole numbers that a double can hold.
local function bucket_divide(a, b, c)
  local quotient, rest = 0, 0
  for bits = 20, 0, -10 do
    rest = rest * 1024 + a * (math.floor(b / 2 ^ bits) % 1024)
    quotient = quotient * 1024 + math.floor(rest / c)
    rest = rest % c
  end
  return quotient, rest
end

-- The state of a bucket whose keys have these values. Returns the whole tokens and a table `since` for the functions below:
--   at          the time in ms from which the bucket counts
--   part        the part of the next token that has come, in units of 1 / period_ms
--   as_written  true if the keys already say exactly this
-- A clock that is behind finds the bucket as it was left, so no time is counted twice. A last reset that is further ahead
-- than the slack was written by a wrong clock, so it is replaced by now.
local function bucket_level(last_reset, tokens, rule, now)
  local at, decimals = tonumber(last_reset), tokens and string.find(tokens, '%D')
  local level = tonumber(decimals and string.match(tokens, '^(%d+)%.%d*$') or not decimals and tokens)
  if not at or not level then return rule.capacity, {at = now, part = 0} end
  at = math.floor(at * 1000 + 0.5)
  local believed = at <= now + BUCKET_SLACK_MS
  if not believed then at = now end
  local passed = math.max(now - at, 0)
  if passed >= rule.period_ms then return rule.capacity, {at = now, part = 0} end
  if not rule.continuous then
    local as_written = believed and not decimals and level <= rule.capacity
    return math.min(level, rule.capacity), {at = at, part = 0, as_written = as_written}
  end
  local gained, part = bucket_divide(passed, rule.capacity, rule.period_ms)
  if decimals then part = part + math.floor((tonumber('0' .. string.sub(tokens, decimals)) or 0) * rule.period_ms + 0.5) end
  if part >= rule.period_ms then gained, part = gained + 1, part - rule.period_ms end
  level = level + gained
  if level >= rule.capacity then return rule.capacity, {at = now, part = 0} end
  return level, {at = math.max(at, now), part = part}
end

-- The time in ms when the bucket will have `cost` tokens if nobody takes any. `cost` is at most the capacity.
local function bucket_ready_at(level, since, rule, cost, now)
  if level >= cost then return now end
  if not rule.continuous then return since.at + rule.period_ms end
  local wait, rest = bucket_divide(rule.period_ms, cost - level, rule.capacity)
  local early = since.part - rest -- in 1 / capacity ms
  return since.at + wait - math.floor(early / rule.capacity)
end

-- The time in ms when the bucket will be full.
local function bucket_full_at(level, since, rule, now)
  return bucket_ready_at(level, since, rule, rule.capacity, now)
end

-- Writes the state of a bucket. If the bucket is full, deletes the keys, because missing keys mean the same. Otherwise the
-- keys expire after the bucket is full. A bucket whose tokens only reach the smaller capacity of a new rule is not full: it
-- still counts from its last reset.
local function bucket_put(last_reset_key, tokens_key, level, since, rule, now)
  if level >= rule.capacity and since.at >= now then
    redis.call('DEL', last_reset_key, tokens_key)
    return
  end
  local text = string.format('%.0f', level)
  -- 13 decimals are enough to tell any two parts apart.
  if since.part > 0 then text = text .. string.sub(string.format('%.13f', since.part / rule.period_ms), 2) end
  local over_at = rule.continuous and bucket_full_at(level, since, rule, now) or since.at + rule.period_ms
  local ttl = string.format('%.0f', over_at - now + BUCKET_SLACK_MS)
  redis.call('SET', last_reset_key, string.format('%.3f', since.at / 1000), 'PX', ttl)
  redis.call('SET', tokens_key, text, 'PX', ttl)
end

-- Writes the state after `cost` tokens were taken, with one small write if possible. That write does not change when the keys
-- expire, so a caller must use bucket_put when it changes the rule of a bucket.
local function bucket_take(last_reset_key, tokens_key, level, since, rule, cost, now)
  if since.as_written then
    redis.call('DECRBY', tokens_key, cost)
  else
    bucket_put(last_reset_key, tokens_key, level - cost, since, rule, now)
  end
end
