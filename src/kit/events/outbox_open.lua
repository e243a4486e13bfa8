#!lua flags=allow-oom
-- Says how far an outbox has reached SQL, and creates it if it is new.
-- KEYS: outbox stream, projected    ARGV: id of the newest event in SQL (0-0: none), create (1 or 0)
-- Returns {1 if the outbox exists, id of the last projected event (0-0: none), 1 if the outbox has the event with that id}
local outbox, projected_key = unpack(KEYS)
local in_sql, create = unpack(ARGV)

local projected = redis.call('GET', projected_key) or '0-0'
local exists = redis.call('TYPE', outbox).ok == 'stream' and 1 or 0
if exists == 0 and create == '1' and in_sql == '0-0' and projected == '0-0' then
  redis.call('XADD', outbox, 'MAXLEN', 0, '0-1', 'created', '1') -- trimmed at once: the outbox is empty
  exists = 1
end
local found = exists == 1 and in_sql ~= '0-0' and redis.call('XRANGE', outbox, in_sql, in_sql) or {}
return {exists, projected, #found}
