-- Replaces an entry of a stream. It keeps its id and its place. The stream is made again, because Redis only marks a deleted
-- entry, and its bytes stay in memory and in files.
-- KEYS: stream    ARGV: id of the entry, then the fields and values that it gets
-- Returns 1, or 0 if the stream no longer has the entry
local stream = KEYS[1]
local id = ARGV[1]

if #redis.call('XRANGE', stream, id, id) == 0 then return 0 end
local last
local info = redis.call('XINFO', 'STREAM', stream)
for i = 1, #info, 2 do
  if info[i] == 'last-generated-id' then last = info[i + 1] end
end
local all = redis.call('XRANGE', stream, '-', '+')
redis.call('DEL', stream)
for _, entry in ipairs(all) do
  if entry[1] == id then
    redis.call('XADD', stream, id, unpack(ARGV, 2))
  else
    redis.call('XADD', stream, entry[1], unpack(entry[2]))
  end
end
redis.call('XSETID', stream, last)
return 1
