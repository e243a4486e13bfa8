-- include account.lua
-- Posts one entry to an account that has more than a balance, or an atomic batch of any entries.
-- An order that is already decided keeps its first outcome. A single entry that is refused is recorded as refused. A
-- refused batch leaves no trace, even if it has one entry only.
-- KEYS: for each account: outbox; for each account: what open_account reads; for each entry: order
-- ARGV: number of accounts, number of entries, batch (1; 0: a single entry); for each account: what open_account
--       reads; for each entry: number of its account, op (add, deduct, reset), amount, detail
--       ("eff=<ms> exp=<ms>"; "" if no lot), effective at ms, expires at ms (0: not given), order id, remark, order ttl ms,
--       may decide (1; 0: answer only if the order is already decided); now ms
-- Returns {next due ms or '', {replayed (1 or 0), record} for each entry}; for a single entry that may not be decided, {}
-- takes the place of its answer. For a refused batch: {'', number of the refused entry, why}; why is order_conflict,
-- foreign_record, may_not_decide or a status.
local account_count, entry_count, batch = unpack(ARGV, 1, 3)

account_count, entry_count, batch = tonumber(account_count), tonumber(entry_count), batch == '1'
local accounts = {}
for i = 1, account_count do
  accounts[i] = open_account(i, account_count + (i - 1) * 7 + 1, 4 + (i - 1) * 6)
end

local function reset(a, points)
  local expires = first_lot(a)
  while expires do
    use_lot(a, expires, a.lots[expires])
    expires = first_lot(a)
  end
  a.balance = points
end

local function wait(a, effective, expires, points)
  local name = 'w:' .. effective .. ':' .. expires
  a.fields[name] = text(tonumber(field(a, name) or '0') + points)
  a.timers[name] = effective
  a.waiting = a.waiting + points
end

-- Returns the status, and what the flow adds to its detail.
local function change(a, op, points, effective, expires)
  if op == 'add' then
    if total(a) + points > points_max then return 'balance_limit', '' end
    if tonumber(effective) > now then
      wait(a, effective, expires, points)
    else
      return 'ok', merged_into(expires, give(a, tonumber(expires), points))
    end
  elseif op == 'deduct' then
    if points > a.balance then return 'insufficient_balance', '' end
    take(a, points)
  else
    if total(a) - a.balance + points > points_max then return 'balance_limit', '' end
    reset(a, points)
  end
  return 'ok', ''
end

-- Why a batch cannot repeat this decided order: it had other terms, or it was refused. nil if it can.
local function why_not(record, a, op, amount, detail)
  local words = words_of(record)
  if #words < 8 then return 'foreign_record' end
  local status = table.remove(words, 1)
  local same = {op, a.type, a.domain, amount}
  for i = 1, 4 do
    if words[i] ~= same[i] then return 'order_conflict' end
  end
  local terms = string.gsub(table.concat(words, ' ', 8), ' lot=%d+$', '')
  if terms ~= detail then return 'order_conflict' end
  if status ~= 'ok' then return status end
end

local answers, records, refusal = {}, {}, nil
for i = 1, entry_count do
  local v, key = 4 + account_count * 6 + (i - 1) * 10, KEYS[account_count * 8 + i]
  local number, op, amount, detail, effective, expires, order, remark, ttl, may_decide = unpack(ARGV, v, v + 9)
  local a = accounts[tonumber(number)]
  local known = records[key] and records[key][1] or decided(key)
  if known then
    answers[i] = {1, known}
    refusal = batch and why_not(known, a, op, amount, detail)
  elseif may_decide == '0' then
    answers[i] = {}
    refusal = batch and 'may_not_decide'
  else
    settle(a)
    local old = a.balance
    local status, merged = change(a, op, tonumber(amount), effective, expires)
    refusal = batch and status ~= 'ok' and status
    detail = detail .. merged
    if detail == '' then detail = nil end
    local record = flow(a, status, op, order, amount, old, now_ms, remark, detail)
    records[key] = {record, ttl}
    answers[i] = {0, record}
  end
  if refusal then return {'', i, refusal} end
end

local next_due = ''
for _, a in ipairs(accounts) do
  local due = save(a)
  if due ~= '' and (next_due == '' or tonumber(due) < tonumber(next_due)) then next_due = due end
end
for key, decision in pairs(records) do redis.call('SET', key, decision[1], 'PX', decision[2]) end
return {next_due, unpack(answers)}
