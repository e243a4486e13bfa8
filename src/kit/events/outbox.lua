-- For scripts that change something and append events to an outbox. An outbox is created once and never deleted. If it is
-- missing, this Redis has lost data, and the script fails with LOST before it has written anything.
-- KEYS and ARGV: those of the script that includes it

-- Every script calls this before its first write, unless append_event is its first write.
local function check_outboxes(...)
  if redis.call('EXISTS', ...) < select('#', ...) then error({err = 'LOST an outbox is missing: ' .. table.concat({...}, ', ')}) end
end

-- Appends an event, and returns its id.
local function append_event(outbox, ...)
  local id = redis.call('XADD', outbox, 'NOMKSTREAM', '*', ...)
  if not id then check_outboxes(outbox) end
  return id
end
