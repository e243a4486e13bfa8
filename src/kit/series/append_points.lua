-- include kit/series/series.lua
-- Appends a point to each of several series, all at one moment.
-- KEYS: the series, each once    ARGV: ms, then a value for each series
-- Returns 'OK'
local steps = {}
for i, key in ipairs(KEYS) do steps[i] = series_plan(key, ARGV[1], ARGV[i + 1]) end
for _, step in ipairs(steps) do series_write(step) end
return redis.status_reply('OK')
