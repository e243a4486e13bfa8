-- include kit/events/outbox.lua
-- include foreign.lua
-- Reads an account as it is stored.
-- KEYS: outbox stream, balance, more, expiring, due, revision of the type's end    ARGV: none
-- Returns {balance or nil, ms when it next changes by itself or '', revision, fields and values of more}
local outbox, balance_key, more_key, expiring, due_key, revision = unpack(KEYS)

check_outboxes(outbox)
local found = redis.call('MGET', balance_key, revision)
local balance, more = balance_under(balance_key, found[1]), redis.call('HGETALL', more_key)
local due = ''
if #more > 0 then
  local lot, timer = redis.call('ZRANGE', expiring, 0, 0)[1], redis.call('ZRANGE', due_key, 0, 0, 'WITHSCORES')[2]
  due = timer or lot or ''
  if lot and timer and tonumber(lot) < tonumber(timer) then due = lot end
end
return {balance, due, found[2] or '0', more}
