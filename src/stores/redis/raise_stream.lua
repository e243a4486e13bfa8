-- include stream_ids.lua
-- Makes sure that a stream exists, and that new entries get ids above a given one. Drops no entry, and leaves none behind.
-- KEYS: stream    ARGV: that id, above 0-0
-- Returns 1; 0 if there was nothing to do
local stream, at = KEYS[1], ARGV[1]

if redis.call('EXISTS', stream) == 1 then
  local info = redis.call('XINFO', 'STREAM', stream)
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' and not is_before(info[i + 1], at) then return 0 end
  end
end
redis.call('XADD', stream, at, 'type', 'rebuilt')
redis.call('XDEL', stream, at)
return 1
