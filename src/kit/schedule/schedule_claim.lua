#!lua flags=allow-oom
-- Claims members that are due. Each is due again when the lease ends, unless its handler removes or moves it before that.
-- KEYS: due set, failures    ARGV: now ms, lease ms, count
-- Returns {when a member is due next, or '' if the set is empty; then for each claimed member: the member, its due time
-- before the claim, the number of its failed attempts}
local due_set, failures = unpack(KEYS)
local now, lease_ms, count = unpack(ARGV)

local due = redis.call('ZRANGEBYSCORE', due_set, '-inf', now, 'WITHSCORES', 'LIMIT', 0, count)
local claimed = {''}
if #due > 0 then
  local lease_end = string.format('%.0f', now + lease_ms)
  local members, moves = {}, {}
  for i = 1, #due, 2 do
    members[#members + 1] = due[i]
    moves[#moves + 1] = lease_end
    moves[#moves + 1] = due[i]
  end
  local attempts = redis.call('HMGET', failures, unpack(members)) -- if this fails, nothing has changed
  redis.call('ZADD', due_set, unpack(moves))
  for i, member in ipairs(members) do
    claimed[#claimed + 1] = member
    claimed[#claimed + 1] = due[2 * i]
    claimed[#claimed + 1] = tonumber(attempts[i]) or 0
  end
end
claimed[1] = redis.call('ZRANGE', due_set, 0, 0, 'WITHSCORES')[2] or ''
return claimed
