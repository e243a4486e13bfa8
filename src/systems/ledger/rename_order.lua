-- Gives an order another id, also in an open hold. For an id that contains the id of a user who is forgotten.
-- KEYS: order before, order after, more and due of its account    ARGV: id before, id after
-- Returns 'OK'
local from, to, more, due = unpack(KEYS)
local before, after = unpack(ARGV)

if redis.call('EXISTS', from) == 1 and redis.call('EXISTS', to) == 0 then redis.call('RENAME', from, to) end
local hold = redis.call('HGET', more, 'h:' .. before)
if hold then
  redis.call('HSET', more, 'h:' .. after, hold)
  redis.call('HDEL', more, 'h:' .. before)
end
local at = redis.call('ZSCORE', due, 'h:' .. before)
if at then
  redis.call('ZADD', due, at, 'h:' .. after)
  redis.call('ZREM', due, 'h:' .. before)
end
return redis.status_reply('OK')
