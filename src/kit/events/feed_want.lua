-- Says that somebody listens to the feed. A feed that is not there begins with an empty pack: a place to resume from,
-- and a sign for those who follow it that it began anew.
-- KEYS: feed stream, wanted    ARGV: for how many seconds
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('XADD', KEYS[1], '*', 'events', '') end
redis.call('SET', KEYS[2], '1', 'EX', ARGV[1])
