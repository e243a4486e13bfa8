-- include stores/redis/stream_ids.lua
-- Says that SQL has the events of an outbox up to this one. The position never moves back.
-- KEYS: projected    ARGV: id of the event
-- Returns 1; 0 if the position was already there
local projected_key, at = KEYS[1], ARGV[1]

local projected = redis.call('GET', projected_key)
if projected and not is_before(projected, at) then return 0 end
redis.call('SET', projected_key, at)
return 1
