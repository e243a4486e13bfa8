-- include documents.lua
-- Reads documents in one step.
-- KEYS: for each document: text, revision    ARGV: none
-- Returns {for each document: text ('' if it does not exist), revision}
local reply = {}
for i = 1, #KEYS, 2 do reply[i], reply[i + 1] = document_read(KEYS[i], KEYS[i + 1]) end
return reply
