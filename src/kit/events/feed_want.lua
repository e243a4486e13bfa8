-- Says that somebody listens to the feed. A feed that is not there begins with an empty pack: a place to resume from,
-- and a sign for those who follow it that it began anew.
-- KEYS: feed stream, wanted    ARGV: for how many seconds
local feed, wanted = unpack(KEYS)
local seconds = ARGV[1]

if redis.call('EXISTS', feed) == 0 then redis.call('XADD', feed, '*', 'events', '') end
redis.call('SET', wanted, '1', 'EX', seconds)
