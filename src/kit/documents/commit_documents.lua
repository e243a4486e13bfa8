-- include documents.lua
-- Writes or deletes documents, all or none.
-- KEYS: for each document: text, revision
-- ARGV: for each document: the expected revision ('absent' if it must not exist), the new text ('' to delete it)
-- Returns {1, then the new revision of each document}; {0, then the current revision of each} if one is not as expected
local expected = true
for i = 1, #KEYS, 2 do
  local key, revision_key, must_be_at = KEYS[i], KEYS[i + 1], ARGV[i]
  if not document_is_at(key, revision_key, must_be_at) then expected = false end
end
local reply = {expected and 1 or 0}
for i = 1, #KEYS, 2 do
  local key, revision_key, text = KEYS[i], KEYS[i + 1], ARGV[i + 1]
  if not expected then
    reply[#reply + 1] = document_revision(key, revision_key)
  elseif text == '' then
    reply[#reply + 1] = document_delete(key, revision_key)
  else
    reply[#reply + 1] = document_put(key, revision_key, text)
  end
end
return reply
