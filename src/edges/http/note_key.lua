-- Notes the place for which an Idempotency-Key is used, if another script keeps the answer: that script may run on
-- another node of a cluster, and knows only its own realm.
-- KEYS: record of the key    ARGV: note, ms to keep it
-- Returns '' if the key was new, otherwise the text of its record
local key = KEYS[1]
local note, ms = unpack(ARGV)

local found = redis.call('GET', key)
if not found then
  redis.call('SET', key, note, 'PX', ms)
  return ''
end
-- The note must outlive the answer. A full Redis allows this, so a repeated request gets its answer.
if found == note then redis.call('PEXPIRE', key, ms) end
return found
