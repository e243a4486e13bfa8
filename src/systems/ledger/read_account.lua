-- Shows an account as it is stored.
-- KEYS: outbox, balance, more, expiring, due
-- Returns {balance or nil, when it changes next by itself in ms or '', fields and values of more, last id of the outbox}
local balance, more = redis.call('GET', KEYS[2]), redis.call('HGETALL', KEYS[3])
local due = ''
if #more > 0 then
  local lot, timer = redis.call('ZRANGE', KEYS[4], 0, 0)[1], redis.call('ZRANGE', KEYS[5], 0, 0, 'WITHSCORES')[2]
  due = timer or lot or ''
  if lot and timer and tonumber(lot) < tonumber(timer) then due = lot end
end
local last = '0-0'
if redis.call('EXISTS', KEYS[1]) == 1 then
  local info = redis.call('XINFO', 'STREAM', KEYS[1])
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then last = info[i + 1] end
  end
end
return {balance, due, more, last}
