-- include stores/redis/write_again.lua
-- Sets when the order of an open hold, or of a transfer under way, is forgotten. If it was closed in the
-- meantime, or if the type has another end by now, changes nothing.
-- KEYS: more of the account, order, revision of the type's end
-- ARGV: field of the hold or the transfer, expires at ms (0: never), revision of the end that the caller knows
-- Returns 1 if the order was set, otherwise 0
local more, order, revision = unpack(KEYS)
local field, expires_at, known_revision = unpack(ARGV)

if redis.call('HEXISTS', more, field) == 0 then return 0 end
if redis.call('GET', revision) ~= known_revision then return 0 end
if expires_at == '0' then
  redis.call('PERSIST', order)
  write_again(order)
else
  redis.call('PEXPIREAT', order, expires_at)
end
return 1
