-- include kit/documents/documents.lua
-- include kept.lua
-- Reads towns, and what somebody who wants to change them must know.
-- KEYS: revision of the world; for each town: text, revision; [key of the Idempotency-Key]
-- ARGV: fingerprint ('' without an Idempotency-Key), number of towns
-- Returns {0, revision of the world, for each town: text ('' if there is none), revision}; {1, revision of the world, answer}
-- if the Idempotency-Key was used before; {2, revision of the world} if it was used for another request
local fingerprint, towns = unpack(ARGV)

local world_revision = redis.call('GET', KEYS[1]) or '0'
local kept = fingerprint ~= '' and kept_reply(KEYS[#KEYS], fingerprint)
if kept then return {kept[1], world_revision, kept[2]} end
local reply = {0, world_revision}
for i = 1, tonumber(towns) do
  reply[1 + 2 * i], reply[2 + 2 * i] = document_read(KEYS[2 * i], KEYS[2 * i + 1])
end
return reply
