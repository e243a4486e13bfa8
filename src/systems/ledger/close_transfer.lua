-- include account.lua
-- Ends a transfer to another slot, once: the points arrived, or they cannot arrive and come back under a new order.
-- KEYS: outbox; what open_account reads; relay (due set), order, order of the return
-- ARGV: what open_account reads; order id, status of the arrival, receiver's balance after it, order
--       id of the return, order ttl ms, now ms
-- Returns {1, or 0 if the transfer was already closed, record}; record: nil if it is forgotten
local relay, order_key, return_key = unpack(KEYS, 9)
local order, status, to_balance, return_order, ttl = unpack(ARGV, 7)

local a = open_account(1, 2, 1)
local intent = field(a, 't:' .. order)
if not intent then return {0, decided(order_key)} end

settle(a)
local amount, to, parts = string.match(intent, '^(%d+) (%S+) %d+ (%S+)')
local old = a.balance
a.pending = a.pending - tonumber(amount)
a.fields['t:' .. order] = false
local detail, back = 'to=' .. to .. ' to_balance=' .. to_balance, nil
if status == 'ok' then
  detail = detail .. ' state=done'
  flow(a, 'ok', 'transfer_done', order, amount, old, now_ms, '', detail)
else
  detail = 'to=' .. to .. ' state=returned returned_by=' .. return_order
  local given, merged = give_parts(a, parts, 0)
  back = flow(a, 'ok', 'transfer_return', return_order, amount, old, now_ms, '',
              'return_of=' .. order .. ' why=' .. status .. (merged and ' parts=' .. given or ''))
  settle_returned(a)
end
-- The record keeps the words of the first answer. Its status and its detail are new.
local first = words_of(redis.call('GET', order_key))
first[1] = status
if back then first[7] = first[6] end
local record = table.concat(first, ' ', 1, 8) .. ' ' .. detail
save(a)
if back then redis.call('SET', return_key, back, 'PX', ttl) end
redis.call('SET', order_key, record, 'PX', ttl)
redis.call('ZREM', relay, table.concat({a.uid, a.type, a.domain, order}, ' '))
return {1, record}
