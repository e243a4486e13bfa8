-- Says that somebody listens to the feed. A feed that is not there begins with an empty pack: a place to resume from.
-- KEYS: feed stream, wanted    ARGV: for how many seconds
-- Returns 1 if it was wanted before, 0 if events may have been left out until now.
local known = redis.call('EXISTS', KEYS[2])
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('XADD', KEYS[1], '*', 'events', '') end
redis.call('SET', KEYS[2], '1', 'EX', ARGV[1])
return known
