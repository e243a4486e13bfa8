-- Says that somebody listens to the feed. If the feed is missing, it begins with an empty pack: a position to resume from,
-- and a sign for listeners that the feed began anew.
-- KEYS: feed stream, wanted    ARGV: for how many seconds
local feed, wanted = unpack(KEYS)
local seconds = ARGV[1]

if redis.call('EXISTS', feed) == 0 then redis.call('XADD', feed, '*', 'events', '') end
redis.call('SET', wanted, '1', 'EX', seconds)
