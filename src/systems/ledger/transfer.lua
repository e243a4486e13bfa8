-- include account.lua
-- Moves points between two accounts of one slot, once: to another user, or into another type of the same user.
-- KEYS: outbox of the giver, outbox of the receiver; what open_account reads of the giver; the same of the receiver; order
-- ARGV: kind (transfer, exchange), amount, points credited (above the largest balance if too many), detail of the order
--       ("to=<uid>", "to_type=<id>"), order id, remark, order ttl ms, may decide (1 or 0);
--       what open_account reads of the giver; the same of the receiver; now ms
-- Returns {next due ms or '', replayed (1 or 0), record}; {} if it may not decide
local order_key = KEYS[17]
local kind, amount, credited, terms, order, remark, ttl, may_decide = unpack(ARGV, 1, 8)

local known = decided(order_key)
if known then return {'', 1, known} end
local from, to = open_account(1, 3, 9), open_account(2, 10, 15)
if may_decide == '0' then return {} end

settle(from)
settle(to)
local old, to_old, status, detail = from.balance, to.balance, 'ok', terms
if tonumber(amount) > from.balance then
  status = 'insufficient_balance'
elseif total(to) + tonumber(credited) > points_max then
  status = 'balance_limit'
else
  local parts = take(from, tonumber(amount))
  -- A transfer keeps the expiry of the points. The points from an exchange never expire.
  if kind == 'exchange' then
    parts = '0:' .. credited
    detail = detail .. ' credited=' .. credited
  end
  parts = give_parts(to, parts, 0)
  detail = detail .. ' to_balance=' .. text(to.balance)
  local origin = kind == 'exchange' and 'from_type=' .. from.type or 'from=' .. from.uid
  flow(to, status, kind .. '_in', order, credited, to_old, now_ms, remark,
       origin .. ' parts=' .. parts)
end
local record = flow(from, status, kind .. '_out', order, amount, old, now_ms, remark, detail)
save(from)
local due = save(to)
redis.call('SET', order_key, record, 'PX', ttl)
return {due, 0, record}
