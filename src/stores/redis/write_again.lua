-- For a repeated request whose first run may not have reached a replica yet.
-- KEYS and ARGV: those of the script that includes it

-- Changes nothing, but it is a write: so WAIT also covers what was written before. A full Redis allows it, because
-- commands about expiry need no memory.
local function write_again(key)
  local left = redis.call('PTTL', key)
  if left >= 0 then
    redis.call('PEXPIRE', key, math.max(left, 1))
  else
    redis.call('PEXPIRE', key, 60000)
    redis.call('PERSIST', key)
  end
end

