-- Says by how much the clock of a server is ahead of Redis, and reads what the other servers say.
-- KEYS: clocks    ARGV: id of the server, ms ahead, now ms (by the clock of Redis), after how many ms a server is forgotten
-- Returns {ms ahead of each other server}
local clocks = KEYS[1]
local me, ahead, now, lives = unpack(ARGV)

local others, gone = {}, {}
local all = redis.call('HGETALL', clocks)
for i = 1, #all, 2 do
  local their_ahead, said_at = string.match(all[i + 1], '^(-?%d+) (%d+)$')
  if not said_at or math.abs(tonumber(now) - tonumber(said_at)) > tonumber(lives) then
    gone[#gone + 1] = all[i]
  elseif all[i] ~= me then
    others[#others + 1] = their_ahead
  end
end
if #gone > 0 then redis.call('HDEL', clocks, unpack(gone)) end
redis.call('HSET', clocks, me, ahead .. ' ' .. now)
return others
