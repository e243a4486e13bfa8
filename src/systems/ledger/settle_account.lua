-- include account.lua
-- Settles an account: matures, expires and releases what is due, up to a number of steps.
-- KEYS: outbox; what open_account reads
-- ARGV: what open_account reads; now ms
-- Returns {next due ms or '', whether everything is settled (1 or 0)}
local a = open_account(1, 2, 1)
local settled = settle_some(a)
save(a)
return {write_schedule(a), settled and 1 or 0}
