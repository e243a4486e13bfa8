-- Removes the mark of an attempt to build an index, so that nobody waits for it.
-- KEYS: index (see index_keys.hpp)    ARGV: the mark
-- Returns 1 if the index had this mark, otherwise 0
local index, mark = KEYS[1], ARGV[1]

if redis.call('HGET', index, 'version') ~= mark then return 0 end
return redis.call('HDEL', index, 'version')
