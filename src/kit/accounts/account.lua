-- For the scripts of accounts.
-- KEYS: those of the script that includes this file

-- Appends an event with the whole account as it is now to the outbox. So each event alone is enough for SQL.
local function tell(outbox, user, type, now)
  local fields = {'id', 'username', 'hashed_password', 'generation', 'disabled', 'created_at'}
  local account = redis.call('HMGET', user, unpack(fields))
  redis.call('XADD', outbox, '*', 'type', type, 'at', now, 'user_id', account[1], 'username', account[2], 'hashed_password',
    account[3], 'generation', account[4], 'disabled', account[5], 'created_at', account[6])
end

-- Ends every session of an older generation, and forgets what was revoked before `oldest`, an id of the stream.
local function revoke(revoked, id, generation, oldest)
  redis.call('XADD', revoked, 'MINID', '~', oldest, '*', 'user', id, 'generation', generation)
end
