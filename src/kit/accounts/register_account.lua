-- include account.lua
-- Creates an account, unless its name is taken.
-- KEYS: outbox, username, user    ARGV: id, username, hashed password, now ms
-- Returns 1 if the account exists now, 0 if another account has the name. A repeated call returns 1 again
local outbox, username, user = unpack(KEYS)
local id, name, hash, now = unpack(ARGV)

local owner = redis.call('GET', username)
if owner == id then
  redis.call('SET', username, id) -- changes nothing, but is a write: WAIT then also covers the first call
  return 1
end
if owner then return 0 end
check_outboxes(outbox)
redis.call('SET', username, id)
redis.call('HSET', user, 'id', id, 'username', name, 'hashed_password', hash, 'generation', 1, 'disabled', 0, 'created_at', now)
tell(outbox, user, 'registered', now)
return 1
