-- Shows an account as it is stored.
-- KEYS: balance, more, expiring, due
-- Returns {balance or nil, when it changes next by itself in ms or '', fields and values of more}
local balance, more = redis.call('GET', KEYS[1]), redis.call('HGETALL', KEYS[2])
local due = ''
if #more > 0 then
  local lot, timer = redis.call('ZRANGE', KEYS[3], 0, 0)[1], redis.call('ZRANGE', KEYS[4], 0, 0, 'WITHSCORES')[2]
  due = timer or lot or ''
  if lot and timer and tonumber(lot) < tonumber(timer) then due = lot end
end
return {balance, due, more}
