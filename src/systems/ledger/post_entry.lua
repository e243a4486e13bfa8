-- Posts ledger entries to accounts that are nothing but their balance, each on its own, once: an order that is already
-- decided keeps its first outcome. What others need, post_entries.lua does.
-- KEYS, of each entry: outbox stream, balance, order, more
-- ARGV, of each entry: op (add, deduct, reset), amount, type, domain, order ttl ms, balance expires at ms (0: never),
--       uid, order id, remark, now ms, may decide (1; 0: only an order that is decided already gets an answer)
-- Returns of each entry {replayed (1 or 0), record}, {} if it may not decide, {2} if the account has more than its
-- balance; record: "status op type domain amount old balance at"
-- The outbox gets one field, entry: "record uid order remark".
local function post(k, v)
  local found = redis.call('MGET', KEYS[k + 2], KEYS[k + 3])
  if found[2] then
    -- Changes nothing, but is a write: so WAIT covers the first one too, which may not have reached a replica yet.
    redis.call('APPEND', KEYS[k + 3], '')
    return {1, found[2]}
  end
  if redis.call('EXISTS', KEYS[k + 4]) == 1 then return {2} end
  if ARGV[v + 11] == '0' then return {} end

  local op, before, status = ARGV[v + 1], found[1] or '0', 'ok'
  local old, amount, after = tonumber(before), tonumber(ARGV[v + 2]), before
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
    after = ARGV[v + 2]
  end

  local record = table.concat({status, op, ARGV[v + 3], ARGV[v + 4], ARGV[v + 2], before, after, ARGV[v + 10]}, ' ')
  redis.call('XADD', KEYS[k + 1], '*', 'entry', table.concat({record, ARGV[v + 7], ARGV[v + 8], ARGV[v + 9]}, ' '))
  if after ~= before then
    if ARGV[v + 6] == '0' then
      redis.call('SET', KEYS[k + 2], after)
    else
      redis.call('SET', KEYS[k + 2], after, 'PXAT', ARGV[v + 6])
    end
  end
  redis.call('SET', KEYS[k + 3], record, 'PX', ARGV[v + 5])
  return {0, record}
end

local answers = {}
for i = 1, #KEYS / 4 do answers[i] = post((i - 1) * 4, (i - 1) * 11) end
return answers
