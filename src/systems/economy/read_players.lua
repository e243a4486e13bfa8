-- Reads what players own, and the ids of the last events at that moment, to compare the two.
-- KEYS: ajobus, ajobus-inventory, lb; for each player: inventory    ARGV: for each player: id
-- Returns {last id of ajobus, last id of ajobus-inventory, then for each player {score or '', inventory}}
local points, items, lb = unpack(KEYS, 1, 3)

local function last_id(stream)
  if redis.call('EXISTS', stream) == 0 then return '0-0' end
  local info = redis.call('XINFO', 'STREAM', stream)
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then return info[i + 1] end
  end
end
local reply = {last_id(points), last_id(items)}
for i, player in ipairs(ARGV) do
  reply[i + 2] = {redis.call('ZSCORE', lb, player) or '', redis.call('HGETALL', KEYS[i + 3])}
end
return reply
