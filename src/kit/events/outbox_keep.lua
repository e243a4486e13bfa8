-- Writes down how far SQL has committed, forgets projected events that are not among the newest, and gives the lease
-- back if told to or if nothing is left to project.
-- KEYS: outbox stream, lease, projected
-- ARGV: owner, id of the last projected event, release (1 or 0), events to keep, events to forget at most
-- Returns how many events were forgotten.
local projected = redis.call('GET', KEYS[3]) or '0-0'
-- Never backwards. If there is no event in between, both places mean the same.
if #redis.call('XRANGE', KEYS[1], '(' .. projected, ARGV[2], 'COUNT', 1) > 0 then
  projected = ARGV[2]
  redis.call('SET', KEYS[3], projected)
end

-- Not each time: forgetting some hundreds at once costs little more than one.
local length, keep, forgotten = redis.call('XLEN', KEYS[1]), tonumber(ARGV[4]), 0
if length - keep > keep / 8 then
  local most = math.min(length - keep, tonumber(ARGV[5]))
  forgotten = #redis.call('XRANGE', KEYS[1], '-', projected, 'COUNT', most)
  if forgotten > 0 then redis.call('XTRIM', KEYS[1], 'MAXLEN', length - forgotten) end
end

if ARGV[3] == '1' or #redis.call('XRANGE', KEYS[1], '(' .. projected, '+', 'COUNT', 1) == 0 then
  if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
end
return forgotten
