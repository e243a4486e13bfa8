-- include stores/redis/write_again.lua
-- Tells a shard that a type has a new end. From now on, callers with an older copy of the type are refused.
-- KEYS: revision of the type's end    ARGV: revision
-- Returns 1 if the revision is new for the shard, otherwise 0
local known = redis.call('GET', KEYS[1])
if known and tonumber(known) >= tonumber(ARGV[1]) then
  write_again(KEYS[1])
  return 0
end
redis.call('SET', KEYS[1], ARGV[1])
return 1
