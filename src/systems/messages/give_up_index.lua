-- Takes back the mark of an attempt to build an index, so that nobody waits for it.
-- KEYS: index (see message_index.hpp)    ARGV: the mark
-- Returns 1 if it was there
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
return redis.call('HDEL', KEYS[1], 'version')
