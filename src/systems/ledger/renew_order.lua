-- Sets when the order of an open hold, or of a transfer under way, is forgotten; one that was closed meanwhile stays as
-- it is.
-- KEYS: more of the account, order
-- ARGV: field of the hold or the transfer, expires at ms (0: never)
-- Returns 1 if it is open
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
if ARGV[2] == '0' then
  redis.call('PERSIST', KEYS[2])
else
  redis.call('PEXPIREAT', KEYS[2], ARGV[2])
end
return 1
