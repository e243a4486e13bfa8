-- include account.lua
-- Moves points between two accounts of one slot, once: to another user, or into another type of the same user.
-- KEYS: outboxes (from, to); schedule, open holds, balance, more, expiring, due (from, then to); order
-- ARGV: kind (transfer, exchange), amount, points credited (beyond all balances if too many), detail of the order
--       ("to=<uid>", "to_type=<id>"), order id, remark, order ttl ms, may decide (1 or 0); uid, type, domain, keys expire at ms (from, then to); now ms
-- Returns {next due ms or '', replayed (1 or 0), record}, or {} if it may not decide
local known = decided(KEYS[15])
if known then return {'', 1, known} end
if ARGV[8] == '0' then return {} end

local kind, amount, credited, order, remark = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[5], ARGV[6]
local from, to = open_account(1, 3, 9), open_account(2, 9, 13)
settle(from)
settle(to)
local old, to_old, status, detail = from.balance, to.balance, 'ok', ARGV[4]
if amount > from.balance then
  status = 'insufficient_balance'
elseif total(to) + credited > points_max then
  status = 'balance_limit'
else
  local parts = take(from, amount)
  -- Points keep their expiry on the way to another user; what an exchange gives is new.
  if kind == 'exchange' then
    parts = '0:' .. ARGV[3]
    detail = detail .. ' credited=' .. ARGV[3]
  end
  give_parts(to, parts)
  detail = detail .. ' to_balance=' .. text(to.balance)
  local origin = kind == 'exchange' and 'from_type=' .. from.type or 'from=' .. from.uid
  flow(to, status, kind .. '_in', order, ARGV[3], to_old, ARGV[#ARGV], remark,
       origin .. ' parts=' .. parts)
end
local record = flow(from, status, kind .. '_out', order, ARGV[2], old, ARGV[#ARGV], remark, detail)
save(from)
local due = save(to)
redis.call('SET', KEYS[15], record, 'PX', ARGV[7])
return {due, 0, record}
