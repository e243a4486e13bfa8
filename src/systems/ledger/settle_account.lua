-- include account.lua
-- Settles an account: matures, expires and releases everything that is due.
-- KEYS: outbox, schedule, open holds, balance, more, expiring, due
-- ARGV: uid, type, domain, keys expire at ms (0: never), now ms
-- Returns {next due ms or '', number of flows}
local a = open_account(1, 2, 1)
settle(a)
local made = #a.flows
save(a)
return {write_schedule(a), made}
