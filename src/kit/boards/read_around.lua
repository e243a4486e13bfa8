-- Reads the places around a member.
-- KEYS: board    ARGV: member, how many places
-- Returns {rank of the first place from 0, then member and score of each place}; nil if the member is not on the board
local rank = redis.call('ZREVRANK', KEYS[1], ARGV[1])
if not rank then return nil end
local first = math.max(0, rank - math.floor(ARGV[2] / 2))
local places = redis.call('ZREVRANGE', KEYS[1], first, first + ARGV[2] - 1, 'WITHSCORES')
table.insert(places, 1, first)
return places
