-- Forgets the name of a user whose account was deleted. The field stays taken.
-- KEYS: names    ARGV: user
-- Returns 'OK'
local names, user = KEYS[1], ARGV[1]

local citizen = redis.call('HGET', names, user)
local cut = citizen and string.find(citizen, ' ', 1, true)
if cut then redis.call('HSET', names, user, string.sub(citizen, 1, cut - 1)) end
return redis.status_reply('OK')
