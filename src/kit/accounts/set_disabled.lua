-- include account.lua
-- Disables an account and ends its sessions, or enables it again. An account that is already in that state is left alone.
-- KEYS: outbox, revoked, user    ARGV: 1 to disable or 0 to enable, now ms, kept ms of revoked
-- Returns the generation, or 0 if there is no such account
local outbox, revoked, user = unpack(KEYS)
local disabled, now, kept_ms = unpack(ARGV)

local id, current, generation = unpack(redis.call('HMGET', user, 'id', 'disabled', 'generation'))
if not id then return 0 end
local changes = (current or '0') ~= disabled
if changes then check_outboxes(outbox) end
redis.call('HSET', user, 'disabled', disabled) -- a write in any case, for WAIT
if not changes then return tonumber(generation or '1') end
generation = redis.call('HINCRBY', user, 'generation', 1)
revoke(revoked, kept_ms, 'user', id, 'generation', generation)
tell(outbox, user, disabled == '1' and 'disabled' or 'enabled', now)
return generation
