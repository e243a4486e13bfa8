-- include kit/boards/board.lua
-- Reads everything about a player in one atomic step.
-- KEYS: catalogue, lb, name, inventory, vampire; for each effect and cooldown: its key    ARGV: catalogue version, player
-- Returns {3} if the realm has another catalogue; no catalogue is fine, because the realm may have been filled by hand.
-- Otherwise {0, name, score, rank from 0, inventory, vampire level, value and ms left of each effect and cooldown}, with ''
-- for missing values
local catalogue, lb, name, inventory, vampire = unpack(KEYS, 1, 5)
local version, player = unpack(ARGV)

local found = redis.call('MGET', catalogue, name, vampire, unpack(KEYS, 6))
if found[1] and found[1] ~= version then return {3} end
local score, rank = board_place(lb, player)
local reply = {0, found[2] or '', score or '', rank or '', redis.call('HGETALL', inventory), found[3] or ''}
for i = 6, #KEYS do
  reply[#reply + 1] = found[i - 2] or ''
  reply[#reply + 1] = found[i - 2] and redis.call('PTTL', KEYS[i]) or 0
end
return reply
