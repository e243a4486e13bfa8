-- Removes entries from a stream, which then goes on as before. The stream is made again, because Redis only marks a deleted
-- entry, and its bytes stay in memory and in files.
-- KEYS: stream    ARGV: ids
-- Returns the number of entries that were removed
local stream = KEYS[1]

if redis.call('EXISTS', stream) == 0 then return 0 end
local gone = {}
for _, id in ipairs(ARGV) do gone[id] = true end
local last
local info = redis.call('XINFO', 'STREAM', stream)
for i = 1, #info, 2 do
  if info[i] == 'last-generated-id' then last = info[i + 1] end
end
local all = redis.call('XRANGE', stream, '-', '+')
redis.call('DEL', stream)
local removed = 0
for _, entry in ipairs(all) do
  if gone[entry[1]] then
    removed = removed + 1
  else
    redis.call('XADD', stream, entry[1], unpack(entry[2]))
  end
end
if removed == #all then
  redis.call('XGROUP', 'CREATE', stream, 'new', '$', 'MKSTREAM') -- an outbox exists, even if it is empty
  redis.call('XGROUP', 'DESTROY', stream, 'new')
end
redis.call('XSETID', stream, last)
return removed
