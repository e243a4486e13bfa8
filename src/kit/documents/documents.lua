-- Documents: texts with a revision.
-- KEYS and ARGV: those of the script that includes it
-- A document is two keys: one with the text, and one with the revision, which says how often the document was written or
-- deleted. The revision stays when the document goes, so no revision ever returns. A missing revision is 0, and an empty
-- text is no document.
-- A script checks all its documents first and writes last:
--   if not document_is_at(KEYS[1], KEYS[2], ARGV[1]) then return ... end
--   local revision = document_put(KEYS[1], KEYS[2], ARGV[2])
local function document_call(key, ...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply.err then error(key .. ' is not a document: ' .. reply.err, 0) end
  return reply
end

-- As a string of digits. One above 2^53 - 2 is refused: the next one could not be counted.
local function document_revision(key, revision_key)
  local revision = document_call(key, 'GET', revision_key)
  if not revision or revision == '0' then return '0' end
  if not string.find(revision, '^[1-9]%d*$') or tonumber(revision) > 9007199254740990 then
    error(key .. ' is not a document: its revision is corrupt', 0)
  end
  return revision
end

-- Whether the document has the revision `expected`, or, if that is 'absent', whether there is no document.
local function document_is_at(key, revision_key, expected)
  local revision = document_revision(key, revision_key)
  local bytes = document_call(key, 'STRLEN', key)
  if expected == 'absent' then return bytes == 0 end
  return revision == expected
end

-- The text, '' if there is no document, and the revision.
local function document_read(key, revision_key)
  return document_call(key, 'GET', key) or '', document_revision(key, revision_key)
end

-- Writes a document that was checked. Returns its new revision.
local function document_put(key, revision_key, text)
  redis.call('SET', key, text)
  return redis.call('INCR', revision_key)
end

-- Deletes a document that was checked. Returns the revision that its absence has.
local function document_delete(key, revision_key)
  redis.call('DEL', key)
  return redis.call('INCR', revision_key)
end
