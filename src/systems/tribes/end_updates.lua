-- include kit/documents/documents.lua
-- Takes a town out of the due set, unless the world or the town has changed since they were read.
-- KEYS: updates; revision of the world; text and revision of the town
-- ARGV: user, revision of the world, revision of the town ('absent' if there is none)
-- Returns 1 if the town was in the due set, otherwise 0
local updates, world, key, revision_key = unpack(KEYS)
local user, world_revision, revision = unpack(ARGV)

if (redis.call('GET', world) or '0') ~= world_revision then return 0 end
if not document_is_at(key, revision_key, revision) then return 0 end
return redis.call('ZREM', updates, user)
