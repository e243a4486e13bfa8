-- include kit/series/series.lua
-- Appends a point to each of several series, all at one moment.
-- KEYS: of each series: its key (each once)    ARGV: ms; of each series: value
-- Returns 'OK'
local at_ms = ARGV[1]

local steps = {}
for i, key in ipairs(KEYS) do steps[i] = series_plan(key, at_ms, ARGV[i + 1]) end
for _, step in ipairs(steps) do series_write(step) end
return redis.status_reply('OK')
