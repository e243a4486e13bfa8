-- include kit/events/outbox.lua
-- For the scripts of accounts.
-- KEYS: those of the script that includes this file

-- Appends an event with the whole account as it is now to the outbox. So each event alone is enough for SQL. An account of
-- the original game has only its id, its name and its hash.
local function tell(outbox, user, type, now)
  local fields = {'id', 'username', 'hashed_password', 'generation', 'disabled', 'created_at'}
  local account = redis.call('HMGET', user, unpack(fields))
  append_event(outbox, 'type', type, 'at', now, 'user_id', account[1], 'username', account[2] or '', 'hashed_password',
    account[3] or '', 'generation', account[4] or '0', 'disabled', account[5] or '0', 'created_at', account[6] or '0')
end

-- Tells all servers which sessions have ended, and drops news that is older than `kept_ms`.
local function revoke(revoked, kept_ms, ...)
  local id = redis.call('XADD', revoked, '*', ...)
  -- The age is measured with the clock of Redis, which has written all ids of the stream.
  local oldest = math.max(tonumber(string.match(id, '^%d+')) - tonumber(kept_ms), 0)
  redis.call('XTRIM', revoked, 'MINID', '~', string.format('%.0f', oldest))
end
