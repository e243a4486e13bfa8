-- The procedure of the original points ledger, according to its description. bench/ledger compares Larder with it.
-- KEYS: balance, order    ARGV: signed amount, order ttl s
-- Returns the order's status: 1 ok, 2 insufficient
local status = redis.call('GET', KEYS[2])
if status then return tonumber(status) end
local balance = redis.call('INCRBY', KEYS[1], ARGV[1])
if balance < 0 then
  redis.call('DECRBY', KEYS[1], ARGV[1])
  redis.call('SET', KEYS[2], '2', 'EX', ARGV[2])
  return 2
end
redis.call('SET', KEYS[2], '1', 'EX', ARGV[2])
return 1
