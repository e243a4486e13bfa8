-- Appends packs of events to the feed, if it stands where the caller believes: so no event is appended twice.
-- KEYS: feed stream, seen hash, wanted
-- ARGV: packs to keep, number of outboxes; of each outbox: its key, id of its last event in the feed (or ''), id of its last
--       event in these packs; of each pack: its lines
-- Returns {} when they are appended; per outbox, the id of its last event in the feed or '', when it stands elsewhere;
-- nil when nobody wants it. Without outboxes and packs it is only a question.
local feed, seen_key, wanted = unpack(KEYS)
local packs_max, count = ARGV[1], tonumber(ARGV[2])

if redis.call('EXISTS', wanted) == 0 then
  -- What is left out from here on would be missing behind what the feed has: a listener that resumes must notice.
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
  -- Changes nothing, but is a write: what WAIT confirms for it holds for the appends of others before it, too.
  for i = 1, count do
    if seen[i] ~= '' then redis.call('HSET', seen_key, outboxes[i], seen[i]) end
  end
  return seen
end

-- The feed first: if it is not a stream, that is an error before anything is written.
for i = 3 * count + 3, #ARGV do redis.call('XADD', feed, 'MAXLEN', '~', packs_max, '*', 'events', ARGV[i]) end
for i = 1, count do redis.call('HSET', seen_key, outboxes[i], after[i]) end
return {}
