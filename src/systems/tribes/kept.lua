-- include stores/redis/write_again.lua
-- Answers that are kept for an Idempotency-Key.
-- KEYS and ARGV: those of the script that includes it

-- The reply if the key was used before: {1, answer}, or {2} if it was used for another request.
local function kept_reply(key, fingerprint)
  local kept = redis.call('GET', key)
  if not kept then return nil end
  write_again(key)
  local cut = string.find(kept, '\n', 1, true)
  if string.sub(kept, 1, cut - 1) ~= fingerprint then return {2} end
  return {1, string.sub(kept, cut + 1)}
end

local function keep_answer(key, fingerprint, answer, seconds)
  redis.call('SET', key, fingerprint .. '\n' .. answer, 'EX', seconds)
end
