-- Reads what Redis has of a user, in one atomic step.
-- KEYS: outbox, schedule; for each account: balance, more, expiring, due; for each order: its key
-- ARGV: number of accounts; for each account: "uid type domain"
-- Returns {last id of the outbox, for each account {balance or '', fields and values of more, members and scores of expiring
-- and of due, when it is scheduled or '', ms when each of the four keys vanishes (-1: never, -2: no key)}, for each order:
-- record or ''}
local outbox, schedule = unpack(KEYS, 1, 2)
local accounts = tonumber(ARGV[1])

local last = '0-0'
if redis.call('EXISTS', outbox) == 1 then
  local info = redis.call('XINFO', 'STREAM', outbox)
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then last = info[i + 1] end
  end
end
-- A key of another type cannot be right, whatever the journal says.
local function text_under(key)
  local value = redis.pcall('GET', key)
  if type(value) == 'table' then return 'of another type' end
  return value or ''
end
local answer = {last}
for i = 1, accounts do
  local balance, more, expiring, due = unpack(KEYS, 4 * i - 1, 4 * i + 2)
  local member = ARGV[i + 1]
  local found = {text_under(balance), {}, {}, {}, '', {redis.call('PEXPIRETIME', balance), -2, -2, -2}}
  if redis.call('EXISTS', more, expiring, due) > 0 then
    found[2] = redis.call('HGETALL', more)
    found[3] = redis.call('ZRANGE', expiring, 0, -1, 'WITHSCORES')
    found[4] = redis.call('ZRANGE', due, 0, -1, 'WITHSCORES')
    found[5] = redis.call('ZSCORE', schedule, member) or ''
    for j, key in ipairs({more, expiring, due}) do found[6][j + 1] = redis.call('PEXPIRETIME', key) end
  end
  answer[#answer + 1] = found
end
for i = accounts * 4 + 3, #KEYS do answer[#answer + 1] = text_under(KEYS[i]) end
return answer
