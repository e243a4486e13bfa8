-- include account.lua
-- The first half of a transfer to another slot, once. The points leave the account and are under way.
-- KEYS: outbox; what open_account reads; relay (due set), order
-- ARGV: what open_account reads; to, amount, order id, remark, order ttl ms, may decide (1 or 0),
--       relay at ms, now ms
-- Returns {0, record, "amount to sent_at parts remark" or '' if refused}; {1, record} if replayed; {} if it may not decide
local relay, order_key = unpack(KEYS, 9)
local to, amount, order, remark, ttl, may_decide, relay_at = unpack(ARGV, 7)

local known = decided(order_key)
if known then return {1, known} end
local a = open_account(1, 2, 1)
if may_decide == '0' then return {} end

settle(a)
local old, status, detail, intent = a.balance, 'ok', 'to=' .. to, ''
if tonumber(amount) > a.balance then
  status = 'insufficient_balance'
else
  detail = detail .. ' state=pending'
  local parts = take(a, tonumber(amount))
  intent = table.concat({amount, to, now_ms, parts, remark}, ' ')
  a.pending = a.pending + tonumber(amount)
  a.fields['t:' .. order] = intent
end
local record = flow(a, status, 'transfer_out', order, amount, old, now_ms, remark, detail)
save(a)
if status == 'ok' then
  redis.call('ZADD', relay, relay_at, table.concat({a.uid, a.type, a.domain, order}, ' '))
end
-- The order is remembered for as long as the transfer can be under way, and after that for the order's ttl.
remember(order_key, record, status == 'ok' and a.ends or now_ms, ttl)
return {0, record, intent}
