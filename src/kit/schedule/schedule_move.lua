#!lua flags=allow-oom
-- Gives claimed members another due time. A member that was finished, rescheduled or claimed again is left alone: its due
-- time is no longer the end of this lease.
-- KEYS: due set    ARGV: lease end ms; for each member: due ms, member
-- Returns the number of moved members.
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
