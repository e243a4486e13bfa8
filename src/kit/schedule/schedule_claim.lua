-- Claims members that are due: each is due again when the lease ends, unless its handler takes it out or moves it.
-- KEYS: due set, failures    ARGV: now ms, lease ms, count
-- Returns {when something is due next, '' if the set is empty; then for each claimed member: member, its due time
-- before, how many attempts at it have failed}
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[3])
local claimed = {''}
if #due > 0 then
  local lease_end = string.format('%.0f', ARGV[1] + ARGV[2])
  local members, moves = {}, {}
  for i = 1, #due, 2 do
    members[#members + 1] = due[i]
    moves[#moves + 1] = lease_end
    moves[#moves + 1] = due[i]
  end
  redis.call('ZADD', KEYS[1], unpack(moves))
  local attempts = redis.call('HMGET', KEYS[2], unpack(members))
  for i, member in ipairs(members) do
    claimed[#claimed + 1] = member
    claimed[#claimed + 1] = due[2 * i]
    claimed[#claimed + 1] = attempts[i] or '0'
  end
end
claimed[1] = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] or ''
return claimed
