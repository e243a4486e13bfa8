-- Reads what a realm keeps about a player in keys of its own.
-- KEYS: bombs, bomb, ajobus:imported    ARGV: player
-- Returns {due time of the planted bomb or '', 1 if the pending bomb is theirs, 1 if the player was imported}
local bombs, bomb, imported = unpack(KEYS)

return {redis.call('ZSCORE', bombs, ARGV[1]) or '', redis.call('GET', bomb) == ARGV[1] and 1 or 0,
  redis.call('SISMEMBER', imported, ARGV[1])}
