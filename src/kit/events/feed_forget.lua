-- include stores/redis/stream_ids.lua
-- Drops the events of the feed that are there now. A follower that must miss nothing must have them first.
-- KEYS: feed stream, followed    ARGV: the newest pack that must go, as an earlier call has returned it; '': all that are there
-- Returns '' if the packs are gone; the newest pack that must go if the follower does not have it yet: then nothing has changed.
local feed, followed = unpack(KEYS)
local last = ARGV[1]

local place = redis.call('GET', followed)
if not place then
  redis.call('UNLINK', feed)
  return ''
end
local newest = redis.call('XREVRANGE', feed, '+', '-', 'COUNT', 1)[1]
newest = newest and newest[1] or '0-0'
if place == newest then
  -- The pack at the follower's place shows that nothing is missing, so an empty one takes its part.
  place = redis.call('XADD', feed, '*', 'events', '')
  redis.call('SET', followed, place)
elseif last == '' or not is_before(last, place) then
  return last ~= '' and last or newest
end
redis.call('XTRIM', feed, 'MINID', place)
return ''
