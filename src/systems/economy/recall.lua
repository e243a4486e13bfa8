-- include realm.lua
-- Returns what an Idempotency-Key remembers, for a move that would be refused before its script runs.
-- KEYS: those of every move    ARGV: those of every move; the version is '', which no catalogue has
-- Returns {1, answer} or {2}; {3} if the key remembers nothing
local _, reply = begin({})
return reply
