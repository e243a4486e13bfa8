-- include board.lua
-- Adds to the score of a member.
-- KEYS: board    ARGV: member, by how much
-- Returns the new score; nil, and changes nothing, if the new score would be out of range
local board = KEYS[1]
local member, by = unpack(ARGV)

return board_add(board, member, by)
