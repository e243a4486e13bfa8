-- include account.lua
-- Deletes an account: its name is free, its sessions end, and systems that keep something about the player are told.
-- KEYS: outbox, revoked, user, username, deletions
-- ARGV: hash that the account must have now ('': any), now ms, kept ms of revoked
-- Returns the last generation; 0 if there is no such account, -1 if the account has another hash now
local outbox, revoked, user, username, deletions = unpack(KEYS)
local expected, now, kept_ms = unpack(ARGV)

local id, current = unpack(redis.call('HMGET', user, 'id', 'hashed_password'))
if not id then return 0 end
if expected ~= '' and current ~= expected then return -1 end
check_outboxes(outbox)
local generation = redis.call('HINCRBY', user, 'generation', 1)
revoke(revoked, kept_ms, 'user', id, 'generation', generation)
redis.call('HSET', user, 'username', '', 'hashed_password', '', 'disabled', 0) -- the event has no personal data
tell(outbox, user, 'deleted', now)
redis.call('ZADD', deletions, now, id)
if redis.call('GET', username) == id then redis.call('DEL', username) end
redis.call('DEL', user)
return generation
