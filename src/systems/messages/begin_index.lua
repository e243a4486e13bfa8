-- Begins to build the index of a user anew, unless it is new enough or somebody else is at it.
-- KEYS: index (see message_index.hpp)
-- ARGV: version that would do, the mark of this attempt ('building <now ms> <name>'), now ms, ms after which an attempt that
--       shows no progress is given up
-- Returns 'begun', 'busy' or 'done'
local version = redis.call('HGET', KEYS[1], 'version')
if version then
  local started = string.match(version, '^building (%d+)')
  if started and tonumber(started) + tonumber(ARGV[4]) > tonumber(ARGV[3]) then return 'busy' end
  if not started and tonumber(version) >= tonumber(ARGV[1]) then return 'done' end
end
redis.call('HSET', KEYS[1], 'version', ARGV[2])
return 'begun'
