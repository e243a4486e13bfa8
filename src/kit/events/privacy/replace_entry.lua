-- Replaces an entry of a stream that nobody reads by position: the new entry comes last.
-- KEYS: stream    ARGV: id of the entry, then the fields and values of the new one
-- Returns 1, or 0 if the stream no longer has the entry
local stream = KEYS[1]
local id = ARGV[1]

if #redis.call('XRANGE', stream, id, id) == 0 then return 0 end
redis.call('XADD', stream, '*', unpack(ARGV, 2))
redis.call('XDEL', stream, id)
return 1
