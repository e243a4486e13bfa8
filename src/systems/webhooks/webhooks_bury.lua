#!lua flags=allow-oom
-- Removes the oldest deliveries of a webhook for which too many wait. SQL has them already.
-- KEYS: due set; lanes    ARGV: member, now ms, deliveries that may wait; of each delivery: lane (0 is the first), entry
-- Returns how many still wait.
local due_set = KEYS[1]
local member, now, waiting_max = unpack(ARGV, 1, 3)

for i = 4, #ARGV, 2 do redis.call('ZREM', KEYS[tonumber(ARGV[i]) + 2], ARGV[i + 1]) end
local waiting = 0
for i = 2, #KEYS do waiting = waiting + redis.call('ZCARD', KEYS[i]) end
if waiting > tonumber(waiting_max) then
  redis.call('ZADD', due_set, now, member)
else
  redis.call('ZREM', due_set, member)
end
return waiting
