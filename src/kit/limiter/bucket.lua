-- Token buckets, lazily filled: nothing works on them between two looks.
-- KEYS and ARGV: those of the script that includes it
-- A bucket is two keys: `<name>:last_reset`, a moment in epoch seconds, and `<name>:tokens`, what was in it then.
-- Without them it is full. A rule is {capacity, period_ms, continuous}: tokens come all at once when the period is over
-- since the last reset, or, continuously, one after the other, as many as the capacity in a period. Then every take
-- counts anew, and the tokens have decimals: the part of the next one that had come.
-- All is counted in whole numbers, so nothing drifts: capacity up to 10^9, period up to 10^12 ms.
local BUCKET_SLACK_MS = 60000 -- how far clocks may differ

-- a * b / c as a whole number, and the rest. Exact for a and c up to 10^12 and b up to 10^9: b goes in by ten bits at a
-- time, so that no step leaves the whole numbers a double can count.
local function bucket_divide(a, b, c)
  local quotient, rest = 0, 0
  for bits = 20, 0, -10 do
    rest = rest * 1024 + a * (math.floor(b / 2 ^ bits) % 1024)
    quotient = quotient * 1024 + math.floor(rest / c)
    rest = rest % c
  end
  return quotient, rest
end

-- What is in a bucket whose keys have these values: its whole tokens, and since when they are counted. That is for the
-- functions below: {at = moment in ms, part = of the next token, in 1 / period_ms, as_written = whether that is what the
-- keys say}.
-- A clock that is behind finds the bucket as it was left, and no time is counted twice. A last reset that is further
-- ahead than the slack was written by a clock that was wrong: it is taken for now.
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

-- The moment at which the bucket will have `cost` tokens, at most its capacity, if nobody takes any.
local function bucket_ready_at(level, since, rule, cost, now)
  if level >= cost then return now end
  if not rule.continuous then return since.at + rule.period_ms end
  local wait, rest = bucket_divide(rule.period_ms, cost - level, rule.capacity)
  local early = since.part - rest -- in 1 / capacity ms
  return since.at + wait - math.floor(early / rule.capacity)
end

-- The moment at which it will be full.
local function bucket_full_at(level, since, rule, now)
  return bucket_ready_at(level, since, rule, rule.capacity, now)
end

-- Writes what is left. The keys go when they say no more than their absence does, and by themselves when that is so. One
-- that has all its tokens only because a new rule has room for no more is not full: it still counts from its last reset.
local function bucket_put(last_reset_key, tokens_key, level, since, rule, now)
  if level >= rule.capacity and since.at >= now then
    redis.call('DEL', last_reset_key, tokens_key)
    return
  end
  local text = string.format('%.0f', level)
  -- 13 decimals tell any two parts apart.
  if since.part > 0 then text = text .. string.sub(string.format('%.13f', since.part / rule.period_ms), 2) end
  local over_at = rule.continuous and bucket_full_at(level, since, rule, now) or since.at + rule.period_ms
  local ttl = string.format('%.0f', over_at - now + BUCKET_SLACK_MS)
  redis.call('SET', last_reset_key, string.format('%.3f', since.at / 1000), 'PX', ttl)
  redis.call('SET', tokens_key, text, 'PX', ttl)
end

-- Writes what is left after `cost` tokens were taken: with one small write if it can be. For callers who put a bucket whose
-- rule has changed: this does not change how long its keys stay.
local function bucket_take(last_reset_key, tokens_key, level, since, rule, cost, now)
  if since.as_written then
    redis.call('DECRBY', tokens_key, cost)
  else
    bucket_put(last_reset_key, tokens_key, level - cost, since, rule, now)
  end
end
