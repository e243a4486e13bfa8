-- include foreign.lua
-- Reads an account as it is stored.
-- KEYS: balance, more, expiring, due, revision of the type's end    ARGV: none
-- Returns {balance or nil, ms when it next changes by itself or '', revision, fields and values of more}
local balance_key, more_key, expiring, due_key, revision = unpack(KEYS)

local balance, more = balance_under(balance_key), redis.call('HGETALL', more_key)
local due = ''
if #more > 0 then
  local lot, timer = redis.call('ZRANGE', expiring, 0, 0)[1], redis.call('ZRANGE', due_key, 0, 0, 'WITHSCORES')[2]
  due = timer or lot or ''
  if lot and timer and tonumber(lot) < tonumber(timer) then due = lot end
end
return {balance, due, redis.call('GET', revision) or '0', more}
