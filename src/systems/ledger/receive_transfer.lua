-- include account.lua
-- The second half of a transfer from another slot. Decides once and finally whether the points arrive.
-- KEYS: outbox; what open_account reads; arrival
-- ARGV: what open_account reads; from, order id, amount, parts, remark, sent at ms, arrival ttl ms,
--       why the points may not arrive ('' if they may), ms for which an arrival is surely remembered, now ms
-- Returns {replayed (1 or 0), record}; {} if the points were sent so long ago that an earlier arrival may have been forgotten
local arrival = KEYS[9]
local from, order, amount, parts, remark, sent_at, ttl, refusal, remembered_ms = unpack(ARGV, 7)

local known = decided(arrival)
if known then return {1, known} end
if now - tonumber(sent_at) >= tonumber(remembered_ms) then return {} end

local a = open_account(1, 2, 1)
settle(a)
local old, status, detail = a.balance, 'ok', 'from=' .. from
if refusal ~= '' then
  status = refusal
elseif total(a) + tonumber(amount) > points_max then
  status = 'balance_limit'
else
  detail = detail .. ' parts=' .. give_parts(a, parts, 0)
end
local record = flow(a, status, 'transfer_in', order, amount, old, now_ms, remark, detail)
settle_returned(a)  -- a lot may have expired on the way
save(a)
redis.call('SET', arrival, record, 'PX', ttl)
return {0, record}
