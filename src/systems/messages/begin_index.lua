-- Begins to build the index of a user, unless the index is new enough or somebody else is building it.
-- KEYS: line, waiting, index (see index_keys.hpp)
-- ARGV: version that is new enough, mark of this attempt, mark of an attempt without progress ('' if none), whether to begin
--       if there is no index (1 or 0), seconds for which a mark without an index stays
-- Returns 'begun'; 'done' if the index is new enough, or if there is no index and none should be begun; otherwise the mark of
-- the attempt that is building the index
local line, waiting, index = unpack(KEYS)
local wanted, mark, dead_mark, where_none, mark_s = unpack(ARGV)

local version = redis.call('HGET', index, 'version')
if not version then
  if where_none == '0' then return 'done' end
  -- Without an index, the line may contain messages that no longer exist.
  redis.call('DEL', line, waiting, index)
elseif string.find(version, '^building') then
  if version ~= mark and version ~= dead_mark then return version end
elseif tonumber(version) >= tonumber(wanted) then
  -- Changes nothing, but it is a write. So WAIT also covers the earlier write of the version.
  redis.call('HSET', index, 'version', version)
  return 'done'
end
redis.call('HSET', index, 'version', mark)
if not version then redis.call('EXPIRE', index, mark_s) end
return 'begun'
