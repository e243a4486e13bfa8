-- Posts one ledger entry to an account that is nothing but its balance, once: an order that is already decided keeps
-- its first outcome. What others need, post_entries.lua does.
-- KEYS: outbox stream, balance, order, more
-- ARGV: op (add, deduct, reset), amount, type, domain, order ttl ms, balance expires at ms (0: never),
--       uid, order id, remark, now ms, may decide (1; 0: only an order that is decided already gets an answer)
-- Returns {replayed (1 or 0), record}, {} if it may not decide, {2} if the account has more than its balance
-- record: "status op type domain amount old balance at"
-- The outbox gets one field, entry: "record uid order remark".
local found = redis.call('MGET', KEYS[2], KEYS[3])
if found[2] then
  -- Changes nothing, but is a write: so WAIT covers the first one too, which may not have reached a replica yet.
  redis.call('APPEND', KEYS[3], '')
  return {1, found[2]}
end
if redis.call('EXISTS', KEYS[4]) == 1 then return {2} end
if ARGV[11] == '0' then return {} end

local op, before, status = ARGV[1], found[1] or '0', 'ok'
local old, amount, after = tonumber(before), tonumber(ARGV[2]), before
if op == 'add' then
  if old + amount > 9007199254740991 then
    status = 'balance_limit'
  else
    after = string.format('%.0f', old + amount)
  end
elseif op == 'deduct' then
  if amount > old then
    status = 'insufficient_balance'
  else
    after = string.format('%.0f', old - amount)
  end
else
  after = ARGV[2]
end

local record = table.concat({status, op, ARGV[3], ARGV[4], ARGV[2], before, after, ARGV[10]}, ' ')
redis.call('XADD', KEYS[1], '*', 'entry', table.concat({record, ARGV[7], ARGV[8], ARGV[9]}, ' '))
if after ~= before then
  if ARGV[6] == '0' then
    redis.call('SET', KEYS[2], after)
  else
    redis.call('SET', KEYS[2], after, 'PXAT', ARGV[6])
  end
end
redis.call('SET', KEYS[3], record, 'PX', ARGV[5])
return {0, record}
