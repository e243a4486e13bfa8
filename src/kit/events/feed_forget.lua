#!lua flags=allow-oom
-- Drops all events of the feed. A follower that must miss nothing must have them first. Then an empty pack takes their place,
-- and the follower goes on behind it.
-- KEYS: feed stream, followed    ARGV: none
-- Returns 1, or 0 if a follower does not have all events yet; then nothing has changed.
local feed, followed = unpack(KEYS)

local place = redis.call('GET', followed)
if not place then
  redis.call('UNLINK', feed)
  return 1
end
local newest = redis.call('XREVRANGE', feed, '+', '-', 'COUNT', 1)[1]
if (newest and newest[1] or '0-0') ~= place then return 0 end
local empty = redis.call('XADD', feed, '*', 'events', '')
redis.call('XTRIM', feed, 'MINID', empty)
redis.call('SET', followed, empty)
return 1
