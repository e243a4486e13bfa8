-- include account.lua
-- Puts points aside, once. They are out of the balance until they are captured or released.
-- KEYS: outbox; what open_account reads; order
-- ARGV: what open_account reads; amount, expires at ms (0: never), order id, remark, order ttl ms,
--       may decide (1 or 0), now ms
-- Returns {next due ms or '', replayed (1 or 0), record}; {} if it may not decide
local order_key = KEYS[9]
local amount, expires, order, remark, ttl, may_decide = unpack(ARGV, 7)

local known = decided(order_key)
if known then return {'', 1, known} end
local a = open_account(1, 2, 1)
if may_decide == '0' then return {} end

settle(a)
local old, status, detail = a.balance, 'ok', 'exp=' .. expires
if tonumber(amount) > a.balance then
  status = 'insufficient_balance'
else
  local parts = take(a, tonumber(amount))
  a.held = a.held + tonumber(amount)
  a.holds = a.holds + 1
  a.fields['h:' .. order] = table.concat({amount, expires, parts}, ' ')
  if expires ~= '0' then a.timers['h:' .. order] = expires end
  detail = detail .. ' state=open'
end
local record = flow(a, status, 'hold', order, amount, old, now_ms, remark, detail)
-- The order is remembered for as long as the hold can be open, and after that for the order's ttl.
local till = now_ms
if status == 'ok' then till = expires ~= '0' and expires or a.ends end
local due = save(a)
remember(order_key, record, till, ttl)
return {due, 0, record}
