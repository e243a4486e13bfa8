-- Brings back accounts that Redis has lost, or has only in an older state. Leaves all other accounts alone.
-- KEYS: for each account: user, username
-- ARGV: for each account: id, username, hashed password, generation that it gets, disabled (1 or 0), created at ms. The
-- generation before that one is the oldest that is not lost.
-- Returns {for each account: 1 if it was restored, 0 if Redis has it, -1 if another account has its name}
local reply = {}
for i = 1, #KEYS / 2 do
  local user, username = KEYS[2 * i - 1], KEYS[2 * i]
  local id, name, hash, generation, disabled, created_at = unpack(ARGV, 6 * i - 5, 6 * i)
  local owner = redis.call('GET', username)
  local known = tonumber(redis.call('HGET', user, 'generation') or '-1')
  if owner and owner ~= id then
    reply[i] = -1
  elseif owner and known >= tonumber(generation) - 1 then
    reply[i] = 0
  else
    redis.call('SET', username, id)
    if known < tonumber(generation) - 1 then
      redis.call('HSET', user, 'id', id, 'username', name, 'hashed_password', hash, 'generation', generation, 'disabled',
        disabled, 'created_at', created_at)
    end
    reply[i] = 1
  end
end
return reply
