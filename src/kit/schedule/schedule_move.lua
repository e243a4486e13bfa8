-- Gives claimed members another due time. One that is finished, rescheduled or claimed anew is left alone: its due
-- time is no longer the end of this lease.
-- KEYS: due set    ARGV: lease end ms, then for each member: due ms, member
-- Returns how many were moved.
local moves = {}
for i = 2, #ARGV, 2 do
  local score = redis.call('ZSCORE', KEYS[1], ARGV[i + 1])
  if score and tonumber(score) == tonumber(ARGV[1]) then
    moves[#moves + 1] = ARGV[i]
    moves[#moves + 1] = ARGV[i + 1]
  end
end
if #moves > 0 then redis.call('ZADD', KEYS[1], unpack(moves)) end
return #moves / 2
