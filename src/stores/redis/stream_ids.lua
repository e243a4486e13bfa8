-- For scripts that compare ids of entries of streams.
-- KEYS and ARGV: those of the script that includes it

-- Whether an id comes before another one.
local function is_before(id, other)
  local ms, sequence = string.match(id, '^(%d+)%-(%d+)$')
  local other_ms, other_sequence = string.match(other, '^(%d+)%-(%d+)$')
  if ms ~= other_ms then return tonumber(ms) < tonumber(other_ms) end
  return tonumber(sequence) < tonumber(other_sequence)
end
