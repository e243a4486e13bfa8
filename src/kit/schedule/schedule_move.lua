-- Gives claimed members another due time. One that is finished, rescheduled or claimed anew is left alone: its due
-- time is no longer the end of this lease.
-- KEYS: due set    ARGV: lease end ms; of each member: due ms, member
-- Returns how many were moved.
local due_set, lease_end = KEYS[1], tonumber(ARGV[1])

local moves = {}
for i = 2, #ARGV, 2 do
  local due, member = ARGV[i], ARGV[i + 1]
  local score = redis.call('ZSCORE', due_set, member)
  if score and tonumber(score) == lease_end then
    moves[#moves + 1] = due
    moves[#moves + 1] = member
  end
end
if #moves > 0 then redis.call('ZADD', due_set, unpack(moves)) end
return #moves / 2
