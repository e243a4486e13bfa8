-- include kit/documents/documents.lua
-- Reads towns that are due, with the newest point of each history and the block that gets the next one.
-- KEYS: revision of the world; for each town: text, revision; for each town: coins, pizzas
-- ARGV: name of the block
-- Returns {revision of the world, for each town: text ('' if it has none, or something that is not a text), revision, newest
-- point of coins, block of coins, newest point of pizzas, block of pizzas ('' if there is none)}. The newest point is 'corrupt'
-- if the history is not a hash.
local towns = (#KEYS - 1) / 4
local found = redis.call('MGET', unpack(KEYS, 1, 1 + 2 * towns))
local reply = {found[1] or '0'}
for i = 1, towns do
  local at = 6 * i - 4
  reply[at], reply[at + 1] = found[2 * i] or '', found[2 * i + 1] or '0'
  for j = 0, 1 do
    local series = redis.pcall('HMGET', KEYS[2 * towns + 2 * i + j], 'newest', ARGV[1])
    if series.err then series = {'corrupt'} end
    reply[at + 2 + 2 * j], reply[at + 3 + 2 * j] = series[1] or '', series[2] or ''
  end
end
return reply
