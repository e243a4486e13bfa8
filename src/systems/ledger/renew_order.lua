-- Sets when the order of an open hold, or of a transfer under way, is forgotten. If it was closed in the
-- meantime, changes nothing.
-- KEYS: more of the account, order
-- ARGV: field of the hold or the transfer, expires at ms (0: never)
-- Returns 1 if it is open, otherwise 0
local more, order = unpack(KEYS)
local field, expires_at = unpack(ARGV)

if redis.call('HEXISTS', more, field) == 0 then return 0 end
if expires_at == '0' then
  redis.call('PERSIST', order)
else
  redis.call('PEXPIREAT', order, expires_at)
end
return 1
