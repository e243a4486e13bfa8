-- Included by scripts that read balances and orders: other programs may have left other values under these keys.
-- KEYS and ARGV: those of the script that includes it

-- Whether it is a balance: a whole number up to 2^53 - 1, without leading zeros.
local function is_balance(value)
  if value == '0' then return true end
  if not string.find(value, '^[1-9]%d*$') then return false end
  return #value < 16 or tonumber(value) <= 9007199254740991
end

-- Ends the script, which must not have written anything yet.
local function refuse_foreign(key) error({err = 'FOREIGN_RECORD ' .. key}) end

-- The text under the key; false if the key does not exist.
local function text_under(key)
  local value = redis.pcall('GET', key)
  if type(value) ~= 'table' then return value end
  if string.find(value.err, 'WRONGTYPE') then refuse_foreign(key) end
  error(value)
end

-- The balance under the key, as text; false if the key does not exist. `found` is what MGET has found there: false also
-- for a key of another type.
local function balance_under(key, found)
  local value = found or text_under(key)
  if value and not is_balance(value) then refuse_foreign(key) end
  return value
end
