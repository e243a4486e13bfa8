-- Shows what there is of a user, all of it in one moment.
-- KEYS: outbox, schedule; balance, more, expiring, due of each account; orders
-- ARGV: number of accounts; "uid type domain" of each
-- Returns {last id of the outbox, {balance or '', fields and values of more, members and scores of expiring and of due,
-- when it is scheduled or ''} of each account, record or '' of each order}
local last = '0-0'
if redis.call('EXISTS', KEYS[1]) == 1 then
  local info = redis.call('XINFO', 'STREAM', KEYS[1])
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then last = info[i + 1] end
  end
end
local answer, accounts = {last}, tonumber(ARGV[1])
for i = 1, accounts do
  local k = i * 4 - 1
  local found = {redis.call('GET', KEYS[k]) or '', {}, {}, {}, ''}
  if redis.call('EXISTS', KEYS[k + 1], KEYS[k + 2], KEYS[k + 3]) > 0 then
    found[2] = redis.call('HGETALL', KEYS[k + 1])
    found[3] = redis.call('ZRANGE', KEYS[k + 2], 0, -1, 'WITHSCORES')
    found[4] = redis.call('ZRANGE', KEYS[k + 3], 0, -1, 'WITHSCORES')
    found[5] = redis.call('ZSCORE', KEYS[2], ARGV[i + 1]) or ''
  end
  answer[#answer + 1] = found
end
for i = accounts * 4 + 3, #KEYS do answer[#answer + 1] = redis.call('GET', KEYS[i]) or '' end
return answer
