-- For scripts that read a realm. Include it after kit/events/outbox.lua.
-- KEYS and ARGV: those of the script that includes it

-- `catalogue` is the version that the realm has, `known` whether the server knows one. Returns false if the realm has lost its
-- catalogue: it was deleted, or this Redis has lost it. A realm without a catalogue that nobody knows is fine: it may have been
-- filled by hand. A realm with a catalogue has outboxes, unless it is being deleted (closed_version).
local function begin_view(catalogue, known, ...)
  if not catalogue then return not known end
  if catalogue ~= 'closed' then check_outboxes(...) end
  return true
end
