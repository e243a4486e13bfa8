-- Forgets the events that SQL has committed, and gives the lease back if told to or if nothing is left.
-- KEYS: outbox stream, lease    ARGV: owner, first id to keep, release (1 or 0)
-- Returns how many events were forgotten.
local trimmed = redis.call('XTRIM', KEYS[1], 'MINID', ARGV[2])
if (ARGV[3] == '1' or redis.call('XLEN', KEYS[1]) == 0) and redis.call('GET', KEYS[2]) == ARGV[1] then
  redis.call('DEL', KEYS[2])
end
return trimmed
