-- include kit/events/outbox.lua
-- include kit/boards/board.lua
-- include view.lua
-- Reads everything about a player in one atomic step.
-- KEYS: ajobus, ajobus-inventory, catalogue, lb, name, inventory, vampire; for each effect and cooldown: its key
-- ARGV: catalogue version, known (1: this server knows the catalogue of the realm; 0: it has none, as far as the server
--       knows), player
-- Returns {3} if the realm has another catalogue, or none although one is known. Otherwise {0, name, score, rank from 0,
-- inventory, vampire level, value and ms left of each effect and cooldown}, with '' for missing values
local points, items, catalogue, lb, name, inventory, vampire = unpack(KEYS, 1, 7)
local version, known, player = unpack(ARGV)

local found = redis.call('MGET', catalogue, name, vampire, unpack(KEYS, 8))
if found[1] and found[1] ~= version then return {3} end
if not begin_view(found[1], known == '1', points, items) then return {3} end
local score, rank = board_place(lb, player)
local reply = {0, found[2] or '', score or '', rank or '', redis.call('HGETALL', inventory), found[3] or ''}
for i = 8, #KEYS do
  reply[#reply + 1] = found[i - 4] or ''
  reply[#reply + 1] = found[i - 4] and redis.call('PTTL', KEYS[i]) or 0
end
return reply
