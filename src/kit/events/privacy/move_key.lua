-- Moves a key, with its expiry, unless there is nothing to move or the other key exists.
-- KEYS: from, to
-- Returns 1 if it was moved, otherwise 0
local from, to = unpack(KEYS)

if redis.call('EXISTS', from) == 0 or redis.call('EXISTS', to) == 1 then return 0 end
redis.call('RENAME', from, to)
return 1
