-- include kit/series/series.lua
-- Appends a point to each of several series, all with the same time.
-- KEYS: for each series: its key (no key twice)    ARGV: time ms; for each series: value
-- Returns 'OK'
local at_ms = ARGV[1]

local steps = {}
for i, key in ipairs(KEYS) do steps[i] = series_plan(key, at_ms, ARGV[i + 1]) end
for _, step in ipairs(steps) do series_write(step) end
return redis.status_reply('OK')
