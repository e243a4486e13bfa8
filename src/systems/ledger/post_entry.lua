-- include stores/redis/write_again.lua
-- include kit/events/outbox.lua
-- include foreign.lua
-- Posts entries to accounts that consist of their balance only, each entry on its own, once. An order that is already
-- decided keeps its first outcome. post_entries.lua handles all other accounts.
-- KEYS: for each entry: outbox stream, balance, order, more, revision of the type's end
-- ARGV: for each entry: op (add, deduct, reset), amount, type, domain, order ttl ms, balance expires at ms (0: never),
--       uid, order id, remark, now ms, may decide (1; 0: answer only if the order is already decided), revision of the
--       type's end that the caller knows
-- Returns for each entry {replayed (1 or 0), record}, {} if it may not decide, {2} if the account has more than its
-- balance, {3, key} if that key has a foreign value, {3, 0, 0} if the caller's copy of the type is older than the end that
-- the keys have by now; record: "status op type domain amount old balance at"
-- The event in the outbox has one field, entry: "record uid order remark".
local function post(k, v)
  local outbox, balance, order_key, more, revision = unpack(KEYS, k, k + 4)
  local op, amount, type, domain, order_ttl, ends, uid, order, remark, now, may_decide = unpack(ARGV, v, v + 10)
  local found = redis.call('MGET', balance, order_key, revision)
  if found[2] then
    write_again(order_key)
    return {1, found[2]}
  end
  if found[3] and tonumber(found[3]) > tonumber(ARGV[v + 11]) then return {3, 0, 0} end
  -- For a key that is not a text, MGET says that the key does not exist.
  local others = found[1] and redis.call('EXISTS', order_key, more) or redis.call('EXISTS', order_key, more, balance)
  if others > 0 then
    if redis.call('EXISTS', more) == 1 then return {2} end
    return {3, redis.call('EXISTS', order_key) == 1 and order_key or balance}
  end
  local before, status = found[1] or '0', 'ok'
  if not is_balance(before) then return {3, balance} end
  if may_decide == '0' then return {} end

  local old, points, after = tonumber(before), tonumber(amount), before
  if op == 'add' then
    if old + points > 9007199254740991 then
      status = 'balance_limit'
    else
      after = string.format('%.0f', old + points)
    end
  elseif op == 'deduct' then
    if points > old then
      status = 'insufficient_balance'
    else
      after = string.format('%.0f', old - points)
    end
  else
    after = amount
  end

  local record = table.concat({status, op, type, domain, amount, before, after, now}, ' ')
  append_event(outbox, 'entry', table.concat({record, uid, order, remark}, ' '))
  if after ~= before then
    if ends == '0' then
      redis.call('SET', balance, after)
    else
      redis.call('SET', balance, after, 'PXAT', ends)
    end
  end
  redis.call('SET', order_key, record, 'PX', order_ttl)
  return {0, record}
end

-- The entries may belong to several outboxes. All must exist before the first entry is posted.
if #KEYS > 5 then
  local outboxes, seen = {}, {}
  for k = 1, #KEYS, 5 do
    if not seen[KEYS[k]] then outboxes[#outboxes + 1] = KEYS[k] end
    seen[KEYS[k]] = true
  end
  check_outboxes(unpack(outboxes))
end

local answers = {}
for i = 1, #KEYS / 5 do answers[i] = post(5 * i - 4, 12 * i - 11) end
return answers
