-- Begins to build the index of a user anew, unless it is new enough or somebody else is at it.
-- KEYS: line, waiting, index (see index_keys.hpp)
-- ARGV: version that would do, the mark of this attempt, the mark of an attempt that has shown no progress ('' if there is
--       none), whether to begin where there is no index (1 or 0), seconds that a mark without an index stays
-- Returns 'begun'; 'done' if it is new enough, or if there is none and none shall be begun; or the mark of whoever is at it
local line, waiting, index = unpack(KEYS)
local wanted, mark, dead_mark, where_none, mark_s = unpack(ARGV)

local version = redis.call('HGET', index, 'version')
if not version then
  if where_none == '0' then return 'done' end
  -- What lines up without an index may be of messages that nobody knows any more.
  redis.call('DEL', line, waiting, index)
elseif string.find(version, '^building') then
  if version ~= mark and version ~= dead_mark then return version end
elseif tonumber(version) >= tonumber(wanted) then
  -- Changes nothing, but is a write: what WAIT confirms for it holds for the one that wrote the version, too.
  redis.call('HSET', index, 'version', version)
  return 'done'
end
redis.call('HSET', index, 'version', mark)
if not version then redis.call('EXPIRE', index, mark_s) end
return 'begun'
