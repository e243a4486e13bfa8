-- include board.lua
-- Adds to the score of a member.
-- KEYS: board    ARGV: member, by how much
-- Returns the new score; nil if it would be out of range: then nothing changes
local board = KEYS[1]
local member, by = unpack(ARGV)

return board_add(board, member, by)
