-- include account.lua
-- Takes a balance that another program has written into the ledger, once: a first flow says where the balance comes from.
-- KEYS: outbox; what open_account reads; order
-- ARGV: what open_account reads; order id, order ttl ms, now ms
-- Returns {1, balance}; {0} if it was taken in before, or if there is no balance
local order_key = KEYS[9]
local order, ttl = unpack(ARGV, 7)

if decided(order_key) then return {0} end
local a = open_account(1, 2, 1)
if redis.call('EXISTS', a.score) == 0 then return {0} end
local record = flow(a, 'ok', 'opening', order, text(a.balance), 0, now_ms, '')
save(a)
-- A balance of 0 does not change, so save() leaves its key as it is.
if a.ends == '0' then redis.call('PERSIST', a.score) else redis.call('PEXPIREAT', a.score, a.ends) end
redis.call('SET', order_key, record, 'PX', ttl)
return {1, text(a.balance)}
