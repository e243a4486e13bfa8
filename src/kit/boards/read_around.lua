-- Reads the places around a member.
-- KEYS: board    ARGV: member, how many places
-- Returns {rank of the first place, counted from 0; then for each place: member, score}; nil if the member is not on the board
local board = KEYS[1]
local member, count = unpack(ARGV)

local rank = redis.call('ZREVRANK', board, member)
if not rank then return nil end
local first = math.max(0, rank - math.floor(count / 2))
local places = redis.call('ZREVRANGE', board, first, first + count - 1, 'WITHSCORES')
table.insert(places, 1, first)
return places
