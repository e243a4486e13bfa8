#!lua flags=allow-oom
-- Appends packs of events to the feed, if the feed has exactly the events that the caller believes. So no event
-- is appended twice.
-- KEYS: feed stream, seen hash, wanted, followed
-- ARGV: packs to keep, packs to keep for a follower, number of outboxes; for each outbox: its key, id of its last event in the
--       feed (or ''), id of its last event in these packs; for each pack: its lines
-- Returns {} if the packs were appended; {for each outbox: the id of its last event in the feed, or ''} if the caller was
-- wrong about one of them; nil if nobody wants the feed. Without outboxes and packs, the call only asks for that.
local feed, seen_key, wanted, followed_key = unpack(KEYS)
local packs_max, followed_max, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local trim_at, trim_max = 100, 1000 -- packs

local function is_above(id, other)
  local ms, sequence = string.match(id, '(%d+)-(%d+)')
  local other_ms, other_sequence = string.match(other, '(%d+)-(%d+)')
  if ms ~= other_ms then return tonumber(ms) > tonumber(other_ms) end
  return tonumber(sequence) > tonumber(other_sequence)
end

-- Drops old packs, but neither the pack at the follower's place nor one behind it. That pack shows that nothing is missing.
local function trim(followed)
  local excess = redis.call('XLEN', feed) - packs_max
  if excess < trim_at then return end
  -- Reading many packs takes time, so the oldest comes first: a follower may be there for long.
  if not is_above(followed, redis.call('XRANGE', feed, '-', '+', 'COUNT', 1)[1][1]) then
    redis.call('XTRIM', feed, 'MAXLEN', '~', followed_max)
    return
  end
  local oldest = redis.call('XRANGE', feed, '-', '+', 'COUNT', math.min(excess, trim_max) + 1)
  local first_kept = oldest[#oldest][1]
  redis.call('XTRIM', feed, 'MINID', is_above(first_kept, followed) and followed or first_kept)
end

local followed = redis.call('GET', followed_key)
if not followed and redis.call('EXISTS', wanted) == 0 then
  -- Events that are left out from now on would be missing after the last pack. The feed is dropped so that a listener that
  -- resumes notices the gap.
  redis.call('UNLINK', feed)
  return false
end
local outboxes, before, after = {}, {}, {}
for i = 1, count do outboxes[i], before[i], after[i] = unpack(ARGV, 3 * i + 1, 3 * i + 3) end
local seen = count > 0 and redis.call('HMGET', seen_key, unpack(outboxes)) or {}
local moved = false
for i = 1, count do
  seen[i] = seen[i] or ''
  if seen[i] ~= before[i] then moved = true end
end
if moved then
  -- Changes nothing, but is a write: if WAIT confirms it, replicas also have the earlier appends of others.
  for i = 1, count do
    if seen[i] ~= '' then redis.call('HSET', seen_key, outboxes[i], seen[i]) end
  end
  return seen
end

-- Appends to the feed first: if the key is not a stream, the script fails before it has written anything.
for i = 3 * count + 4, #ARGV do
  if followed then
    redis.call('XADD', feed, '*', 'events', ARGV[i])
  else
    redis.call('XADD', feed, 'MAXLEN', '~', packs_max, '*', 'events', ARGV[i])
  end
end
for i = 1, count do redis.call('HSET', seen_key, outboxes[i], after[i]) end
if followed then trim(followed) end
return {}
