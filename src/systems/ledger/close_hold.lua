-- include account.lua
-- Captures all or part of a hold and gives the rest back, or releases the hold. Either happens once.
-- KEYS: outbox; what open_account reads; order of the hold
-- ARGV: what open_account reads; order id, points to capture (0: release; all: all of them),
--       order ttl ms, now ms
-- Returns {status, record}; status: closed (now), was_closed (before), expired, too_much, or not_found without a record
local order_key = KEYS[9]
local order, captured, ttl = unpack(ARGV, 7)

local record = decided(order_key)
local words = record and words_of(record) or {}
if words[2] ~= 'hold' or words[1] ~= 'ok' then return {'not_found'} end
if words[10] ~= 'state=open' then return {'was_closed', record} end

local a = open_account(1, 2, 1)
settle(a)
if not field(a, 'h:' .. order) then
  save(a)
  return {'expired', record}
end
local amount = words[5]
if captured == 'all' then captured = amount end
if tonumber(captured) > tonumber(amount) then return {'too_much', record} end
end_hold(a, order, tonumber(captured), now_ms)
settle_returned(a)  -- points that came back may have expired meanwhile
words[10] = captured == '0' and 'state=released' or 'state=captured'
words[11] = 'captured=' .. captured
words[12] = 'after=' .. text(a.balance)
record = table.concat(words, ' ')
save(a)
redis.call('SET', order_key, record, 'PX', ttl)
return {'closed', record}
