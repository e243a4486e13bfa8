-- include kept.lua
-- Keeps a refusal for an Idempotency-Key for a while, unless the key was used before. A refusal costs the player nothing, so
-- only the first ones in that time are kept: otherwise a player could fill Redis with them.
-- KEYS: key of the Idempotency-Key, how many refusals of the player are kept
-- ARGV: fingerprint, answer, s to keep it, largest number of refusals in that time
-- Returns {0}; {1, answer} if the key was used before; {2} if it was used for another request
local key, count_key = unpack(KEYS)
local fingerprint, answer, seconds, kept_max = unpack(ARGV)

local kept = kept_reply(key, fingerprint)
if kept then return kept end
local count = redis.call('INCR', count_key)
if count == 1 then redis.call('EXPIRE', count_key, seconds) end
if count <= tonumber(kept_max) then keep_answer(key, fingerprint, answer, seconds) end
return {0}
