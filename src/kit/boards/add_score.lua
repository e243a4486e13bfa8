-- include board.lua
-- Adds to the score of a member.
-- KEYS: board    ARGV: member, by how much
-- Returns the new score; nil if it would be out of range: then nothing changes
return board_add(KEYS[1], ARGV[1], ARGV[2])
