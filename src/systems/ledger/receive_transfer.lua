-- include account.lua
-- The second half of a transfer from another slot, once: whether the points arrive is decided here, for good.
-- KEYS: outbox; schedule, open holds, balance, more, expiring, due; arrival
-- ARGV: uid, type, domain, keys expire at ms (0: never); from, order id, amount, parts, remark,
--       sent at ms, arrival ttl ms, may arrive (1; 0: the type is over), an arrival is remembered for ms at least; now ms
-- Returns {replayed (1 or 0), record}, or {} if it was sent so long ago that an earlier arrival may be forgotten
local known = decided(KEYS[8])
if known then return {1, known} end
if now - tonumber(ARGV[10]) >= tonumber(ARGV[13]) then return {} end

local a = open_account(1, 2, 1)
settle(a)
local old, status, detail = a.balance, 'ok', 'from=' .. ARGV[5]
if ARGV[12] == '0' then
  status = 'type_not_active'
elseif total(a) + tonumber(ARGV[7]) > points_max then
  status = 'balance_limit'
else
  give_parts(a, ARGV[8])
  detail = detail .. ' parts=' .. ARGV[8]
end
local record = flow(a, status, 'transfer_in', ARGV[6], ARGV[7], old, ARGV[#ARGV], ARGV[9], detail)
a.settled_at = now
settle(a)  -- a lot may have expired on the way
save(a)
redis.call('SET', KEYS[8], record, 'PX', ARGV[11])
return {0, record}
