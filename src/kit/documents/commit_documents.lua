-- include documents.lua
-- Writes or deletes documents, all or none.
-- KEYS: for each document: text, revision
-- ARGV: for each document: the revision it must have, or 'absent' if it must not exist; its new text, or '' to delete it
-- Returns {1, then the new revision of each document}; {0, then the present revision of each} if one is not as expected
local expected = true
for i = 1, #KEYS, 2 do
  if not document_is_at(KEYS[i], KEYS[i + 1], ARGV[i]) then expected = false end
end
local reply = {expected and 1 or 0}
for i = 1, #KEYS, 2 do
  if not expected then
    reply[#reply + 1] = document_revision(KEYS[i], KEYS[i + 1])
  elseif ARGV[i + 1] == '' then
    reply[#reply + 1] = document_delete(KEYS[i], KEYS[i + 1])
  else
    reply[#reply + 1] = document_put(KEYS[i], KEYS[i + 1], ARGV[i + 1])
  end
end
return reply
