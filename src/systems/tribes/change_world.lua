-- include kit/documents/documents.lua
-- include kit/events/outbox.lua
-- Creates or changes a world.
-- KEYS: outbox; text, revision, jobs, updates, moment that towns have reached
-- ARGV: expected revision ('absent' to create it), new text, now ms, job ('' for none), 'freeze' to end all updates or '', game
-- ms of the change; the fields of the event
-- Returns {1, new revision}; {0, revision} if somebody else was faster: the world has changed, or a town is past the moment
local outbox, key, revision_key, jobs, updates, reached = unpack(KEYS)
local expected, text, now, job, freeze, at = unpack(ARGV, 1, 6)

local past = tonumber(redis.call('GET', reached) or '0') > tonumber(at)
if past or not document_is_at(key, revision_key, expected) then return {0, document_revision(key, revision_key)} end
-- Checked first: a command that failed later would leave the first part of the change written.
redis.call('ZCARD', jobs)
redis.call('XLEN', outbox)
check_outboxes(outbox)
local revision = document_put(key, revision_key, text)
if job ~= '' then redis.call('ZADD', jobs, now, job) end
if freeze ~= '' then redis.call('DEL', updates) end
append_event(outbox, unpack(ARGV, 7))
return {1, revision}
