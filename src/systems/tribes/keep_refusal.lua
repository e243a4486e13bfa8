-- include kept.lua
-- Keeps a refusal for an Idempotency-Key, unless the key was used before.
-- KEYS: key of the Idempotency-Key    ARGV: fingerprint, answer
-- Returns {0}; {1, answer} if the key was used before; {2} if it was used for another request
local key = KEYS[1]
local fingerprint, answer = unpack(ARGV)

local kept = kept_reply(key, fingerprint)
if kept then return kept end
keep_answer(key, fingerprint, answer)
return {0}
