-- include kit/events/outbox.lua
-- include foreign.lua
-- Gives an account to a pseudonym, with everything that it has, once. A flow that changes nothing says when: what comes after
-- it under the old id belongs to a fresh user.
-- KEYS: outbox; of the schedule: due, failures, dead, reasons; of the account: balance, more, expiring, due; the same four of
--       the pseudonym's account
-- ARGV: uid, pseudonym, type, domain, order id of the flow, now ms
-- Returns 1; 0 if the pseudonym has such an account already; 2 if a transfer is under way, whose other half names the sender
local outbox, schedule, failures, dead, reasons = unpack(KEYS, 1, 5)
local uid, pseudonym, type, domain, order, now = unpack(ARGV)

check_outboxes(outbox)
if redis.call('EXISTS', unpack(KEYS, 10, 13)) > 0 then return 0 end
if redis.call('HEXISTS', KEYS[7], 'pending') == 1 then return 2 end
local balance = balance_under(KEYS[6], false) or '0'

append_event(outbox, 'entry', table.concat({'ok', 'forgotten', type, domain, '0', balance, balance, now, pseudonym, order, ''}, ' '))
for i = 6, 9 do
  if redis.call('EXISTS', KEYS[i]) == 1 then redis.call('RENAME', KEYS[i], KEYS[i + 4]) end
end
local before = table.concat({uid, type, domain}, ' ')
local after = table.concat({pseudonym, type, domain}, ' ')
for _, set in ipairs({schedule, dead}) do
  local at = redis.call('ZSCORE', set, before)
  if at then
    redis.call('ZADD', set, at, after)
    redis.call('ZREM', set, before)
  end
end
for _, hash in ipairs({failures, reasons}) do
  local value = redis.call('HGET', hash, before)
  if value then
    redis.call('HSET', hash, after, value)
    redis.call('HDEL', hash, before)
  end
end
return 1
