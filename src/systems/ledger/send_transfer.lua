-- include account.lua
-- The first half of a transfer to another slot, once: the points leave the account and are under way.
-- KEYS: outbox; schedule, open holds, balance, more, expiring, due; relay (due set), order
-- ARGV: uid, type, domain, keys expire at ms (0: never); to, amount, order id, remark, order ttl ms, may decide (1 or 0),
--       relay at ms; now ms
-- Returns {0, record, "amount to sent_at parts remark" or ''}, {1, record} if replayed, {} if it may not decide
local known = decided(KEYS[9])
if known then return {1, known} end
if ARGV[10] == '0' then return {} end

local to, amount, order = ARGV[5], ARGV[6], ARGV[7]
local a = open_account(1, 2, 1)
settle(a)
local old, status, detail, intent = a.balance, 'ok', 'to=' .. to, ''
if tonumber(amount) > a.balance then
  status = 'insufficient_balance'
else
  detail = detail .. ' state=pending'
  local parts = take(a, tonumber(amount))
  intent = table.concat({amount, to, ARGV[#ARGV], parts, ARGV[8]}, ' ')
  a.pending = a.pending + tonumber(amount)
  a.fields['t:' .. order] = intent
end
local record = flow(a, status, 'transfer_out', order, amount, old, ARGV[#ARGV], ARGV[8], detail)
save(a)
if status == 'ok' then
  redis.call('ZADD', KEYS[8], ARGV[11], table.concat({a.uid, a.type, a.domain, order}, ' '))
end
-- Remembered as long as it can be under way, and then for the order's time.
remember(KEYS[9], record, status == 'ok' and a.ends or ARGV[#ARGV], ARGV[9])
return {0, record, intent}
