-- include account.lua
-- Replaces the password of an account and ends its sessions.
-- KEYS: outbox, revoked, user    ARGV: new hash, hash that the account must have now ('': any), now ms, kept ms of revoked
-- Returns the new generation; 0 if there is no such account, -1 if the account has another hash now. A repeated call returns the
-- generation again
local outbox, revoked, user = unpack(KEYS)
local hash, expected, now, kept_ms = unpack(ARGV)

local id, current, generation = unpack(redis.call('HMGET', user, 'id', 'hashed_password', 'generation'))
if not id then return 0 end
if current == hash then
  redis.call('HSET', user, 'hashed_password', hash) -- a write, for WAIT
  return tonumber(generation or '1')
end
if expected ~= '' and current ~= expected then return -1 end
check_outboxes(outbox)
redis.call('HSET', user, 'hashed_password', hash)
generation = redis.call('HINCRBY', user, 'generation', 1)
revoke(revoked, kept_ms, 'user', id, 'generation', generation)
tell(outbox, user, 'password_changed', now)
return generation
