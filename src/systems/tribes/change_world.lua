-- include kit/documents/documents.lua
-- Creates or changes a world.
-- KEYS: outbox; text, revision, jobs, updates
-- ARGV: expected revision ('absent' to create it), new text, now ms, job ('' for none), 'freeze' to end all updates or ''; the
-- fields of the event
-- Returns {1, new revision}; {0, revision} if somebody else was faster
local outbox, key, revision_key, jobs, updates = unpack(KEYS)
local expected, text, now, job, freeze = unpack(ARGV, 1, 5)

if not document_is_at(key, revision_key, expected) then return {0, document_revision(key, revision_key)} end
local revision = document_put(key, revision_key, text)
if job ~= '' then redis.call('ZADD', jobs, now, job) end
if freeze ~= '' then redis.call('DEL', updates) end
redis.call('XADD', outbox, '*', unpack(ARGV, 6))
return {1, revision}
