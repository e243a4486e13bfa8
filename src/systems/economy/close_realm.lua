-- Closes a realm for good: from now on no move takes place in it, and no bomb becomes pending. Its data is deleted afterwards,
-- in portions.
-- KEYS: catalogue, bombs, bombs-schedule    ARGV: version of a closed realm
-- Returns 1; 0 if there is no such realm.
local catalogue, bombs, schedule = unpack(KEYS)

if redis.call('EXISTS', catalogue) == 0 then return 0 end
redis.call('SET', catalogue, ARGV[1])
redis.call('DEL', bombs, schedule)
return 1
