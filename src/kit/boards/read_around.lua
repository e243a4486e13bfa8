-- include board.lua
-- Reads the places around a member.
-- KEYS: board    ARGV: member, how many places
-- Returns {rank of the first place, counted from 0; then for each place: member, score}; nil if the member is not on the board
local board = KEYS[1]
local member, count = unpack(ARGV)

local first = board_first_around(board, member, count)
if not first then return nil end
local places = board_places(board, first, count)
table.insert(places, 1, first)
return places
