#!lua flags=allow-oom
-- Appends packs of events to the feed, if the feed has exactly the events that the caller believes. So no event
-- is appended twice.
-- KEYS: feed stream, seen hash, wanted
-- ARGV: packs to keep, number of outboxes; for each outbox: its key, id of its last event in the feed (or ''), id of its last
--       event in these packs; for each pack: its lines
-- Returns {} if the packs were appended; {for each outbox: the id of its last event in the feed, or ''} if the caller was
-- wrong about one of them; nil if nobody wants the feed. Without outboxes and packs, the call only asks for that.
local feed, seen_key, wanted = unpack(KEYS)
local packs_max, count = ARGV[1], tonumber(ARGV[2])

if redis.call('EXISTS', wanted) == 0 then
  -- Events that are left out from now on would be missing after the last pack. The feed is dropped so that a listener that
  -- resumes notices the gap.
  redis.call('UNLINK', feed)
  return false
end
local outboxes, before, after = {}, {}, {}
for i = 1, count do outboxes[i], before[i], after[i] = unpack(ARGV, 3 * i, 3 * i + 2) end
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
for i = 3 * count + 3, #ARGV do redis.call('XADD', feed, 'MAXLEN', '~', packs_max, '*', 'events', ARGV[i]) end
for i = 1, count do redis.call('HSET', seen_key, outboxes[i], after[i]) end
return {}
