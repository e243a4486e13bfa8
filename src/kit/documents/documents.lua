-- Documents: texts with a revision.
-- KEYS and ARGV: those of the script that includes it
-- A document is two keys: one with the text, and one with the revision, which counts how often the document was written or
-- deleted. The revision stays when the document is deleted, so no revision ever comes back. A missing revision counts as 0.
-- If the text is empty, the document does not exist. A script checks all its documents first and writes last:
--   if not document_is_at(KEYS[1], KEYS[2], ARGV[1]) then return ... end
--   local revision = document_put(KEYS[1], KEYS[2], ARGV[2])
local function document_call(key, ...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply.err then error(key .. ' is not a document: ' .. reply.err, 0) end
  return reply
end

-- The revision as a string of digits, from what GET or MGET has found in its key. A revision above 2^53 - 2 is an error,
-- because the next one would not be exact.
local function document_revision_from(key, revision)
  if not revision or revision == '0' then return '0' end
  if not string.find(revision, '^[1-9]%d*$') or tonumber(revision) > 9007199254740990 then
    error(key .. ' is not a document: its revision is corrupt', 0)
  end
  return revision
end

local function document_revision(key, revision_key)
  return document_revision_from(key, document_call(key, 'GET', revision_key))
end

-- True if the document has the revision `expected`. If `expected` is 'absent', true if the document does not exist.
local function document_is_at(key, revision_key, expected)
  local revision = document_revision(key, revision_key)
  local bytes = document_call(key, 'STRLEN', key)
  if expected == 'absent' then return bytes == 0 end
  return revision == expected
end

-- The text ('' if the document does not exist) and the revision.
local function document_read(key, revision_key)
  return document_call(key, 'GET', key) or '', document_revision(key, revision_key)
end

-- Adds to `words` what MSET must write for a document that was checked and has this revision. One MSET can write several
-- documents. Returns the new revision.
local function document_add_words(words, key, revision_key, text, revision)
  local count, new_revision = #words, revision + 1
  words[count + 1], words[count + 2] = key, text
  words[count + 3], words[count + 4] = revision_key, string.format('%d', new_revision)
  return new_revision
end

-- Writes a document that was checked. Returns its new revision.
local function document_put(key, revision_key, text)
  redis.call('SET', key, text)
  return redis.call('INCR', revision_key)
end

-- Deletes a document that was checked. Returns its new revision.
local function document_delete(key, revision_key)
  redis.call('DEL', key)
  return redis.call('INCR', revision_key)
end
