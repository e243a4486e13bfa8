-- include kit/boards/board.lua
-- Everything about a player at one moment.
-- KEYS: catalogue, lb, name, inventory, vampire, then effects and cooldowns    ARGV: catalogue version, player
-- Returns {3} if the realm has another catalogue (none is fine: it may be filled by hand), else {0, name, score, rank
-- from 0, inventory, vampire level, value and ms left of each effect and cooldown}; '' stands for what is not there.
local found = redis.call('MGET', KEYS[1], KEYS[3], KEYS[5], unpack(KEYS, 6))
if found[1] and found[1] ~= ARGV[1] then return {3} end
local score, rank = board_place(KEYS[2], ARGV[2])
local reply = {0, found[2] or '', score or '', rank or '', redis.call('HGETALL', KEYS[4]), found[3] or ''}
for i = 6, #KEYS do
  reply[#reply + 1] = found[i - 2] or ''
  reply[#reply + 1] = found[i - 2] and redis.call('PTTL', KEYS[i]) or 0
end
return reply
