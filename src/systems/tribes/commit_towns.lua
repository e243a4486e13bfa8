-- include kit/events/outbox.lua
-- include kit/documents/documents.lua
-- include kit/series/series.lua
-- include kept.lua
-- include town_writes.lua
-- include towns.lua
-- Writes towns that have advanced, acted or met, with everything that follows from that.
-- KEYS: those of towns.lua    ARGV: those of towns.lua; no event if a town has only advanced
-- Returns what towns.lua says
local towns, reply = plan_towns()
if not towns then return reply end
return write_towns(towns, ARGS_OF_SCRIPT)
