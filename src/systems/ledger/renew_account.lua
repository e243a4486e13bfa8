-- include stores/redis/write_again.lua
-- Sets when the keys of an account vanish. If the type has another end by now, changes nothing.
-- KEYS: balance, more, expiring, due, revision of the type's end
-- ARGV: expires at ms (0: never), revision of the end that the caller knows
-- Returns 0 if the type has another end by now; 1 if the account consists of its balance only; otherwise 2
local more, revision = KEYS[2], KEYS[5]
local expires_at, known_revision = unpack(ARGV)

if redis.call('GET', revision) ~= known_revision then return 0 end
for i = 1, 4 do
  if expires_at == '0' then
    redis.call('PERSIST', KEYS[i])
    write_again(KEYS[i])
  else
    redis.call('PEXPIREAT', KEYS[i], expires_at)
  end
end
return 1 + redis.call('EXISTS', more)
