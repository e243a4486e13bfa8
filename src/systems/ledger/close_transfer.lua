-- include account.lua
-- Ends a transfer to another slot, once: it has arrived, or it cannot and the points come back under an order of their
-- own.
-- KEYS: outbox; schedule, open holds, balance, more, expiring, due; relay (due set), order, order of the return
-- ARGV: uid, type, domain, keys expire at ms (0: never); order id, status of the arrival, balance it left, order id of the
--       return, order ttl ms; now ms
-- Returns {1 (0: it was closed already), record}; record: nil if it is forgotten
local order, status = ARGV[5], ARGV[6]
local a = open_account(1, 2, 1)
local intent = field(a, 't:' .. order)
if not intent then return {0, decided(KEYS[9])} end

settle(a)
local amount, to, parts = string.match(intent, '^(%d+) (%S+) %d+ (%S+)')
local old = a.balance
a.pending = a.pending - tonumber(amount)
a.fields['t:' .. order] = false
local detail, back = 'to=' .. to .. ' to_balance=' .. ARGV[7], nil
if status == 'ok' then
  detail = detail .. ' state=done'
  flow(a, 'ok', 'transfer_done', order, amount, old, ARGV[#ARGV], '', detail)
else
  detail = 'to=' .. to .. ' state=returned returned_by=' .. ARGV[8]
  give_parts(a, parts)
  back = flow(a, 'ok', 'transfer_return', ARGV[8], amount, old, ARGV[#ARGV], '',
              'return_of=' .. order .. ' why=' .. status)
  a.settled_at = now
  settle(a)
end
-- The order's own words stay those of the first answer; its status and the words behind them are new.
local first = words_of(redis.call('GET', KEYS[9]))
first[1] = status
if back then first[7] = first[6] end
local record = table.concat(first, ' ', 1, 8) .. ' ' .. detail
save(a)
if back then redis.call('SET', KEYS[10], back, 'PX', ARGV[9]) end
redis.call('SET', KEYS[9], record, 'PX', ARGV[9])
redis.call('ZREM', KEYS[8], table.concat({a.uid, a.type, a.domain, order}, ' '))
return {1, record}
