-- Posts one ledger entry, once: an order that is already decided keeps its first outcome.
-- KEYS: outbox stream, balance, order
-- ARGV: op (add, deduct, reset), amount, type, domain, order ttl ms, balance expires at ms (0: never),
--       uid, order id, remark, now ms
-- Returns {replayed (1 or 0), record}; record: "status op type domain amount old balance at"
local prior = redis.call('GET', KEYS[3])
if prior then
  -- Changes nothing, but is a write: so WAIT covers the first one too, which may not have reached a replica yet.
  redis.call('APPEND', KEYS[3], '')
  return {1, prior}
end

local op, amount = ARGV[1], tonumber(ARGV[2])
local old = tonumber(redis.call('GET', KEYS[2]) or '0')
local balance, status = old, 'ok'
if op == 'add' then
  if old + amount > 9007199254740991 then status = 'balance_limit' else balance = old + amount end
elseif op == 'deduct' then
  if amount > old then status = 'insufficient_balance' else balance = old - amount end
else
  balance = amount
end

local record = string.format('%s %s %s %s %s %.0f %.0f %s', status, op, ARGV[3], ARGV[4], ARGV[2], old, balance, ARGV[10])
if status == 'ok' then
  if ARGV[6] == '0' then
    redis.call('SET', KEYS[2], string.format('%.0f', balance))
  else
    redis.call('SET', KEYS[2], string.format('%.0f', balance), 'PXAT', ARGV[6])
  end
end
redis.call('SET', KEYS[3], record, 'PX', ARGV[5])
redis.call('XADD', KEYS[1], '*', 'uid', ARGV[7], 'order', ARGV[8], 'remark', ARGV[9], 'record', record)
return {0, record}
