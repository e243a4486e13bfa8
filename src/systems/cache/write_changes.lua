-- Makes the changes of a batch of events, all or none, if what they rest on is still true.
-- KEYS: the keys that must have a certain text, the keys that must have none, every other key of a check or a change
-- ARGV: how many keys must have a text, these texts; how many keys must have none; how many other checks there are; for each
-- of these: its kind, the number of its key, a name, a value; then for each change:
-- its command, how many keys it has, the numbers of these keys, how many other words it has, these words. The words of MSET
-- are the values of its keys.
-- Returns 0; or -1 if a text is not as expected; or the number of the first other check that failed. Then nothing was changed
-- A key of another type, which only another program can have written, counts as missing, and a change replaces it.
local with_text = tonumber(ARGV[1])
local without_text = tonumber(ARGV[2 + with_text])
local slice = 1000
for first = 1, with_text + without_text, slice do
  local last = math.min(first + slice - 1, with_text + without_text)
  local found = redis.call('MGET', unpack(KEYS, first, last))
  for i = first, last do
    local text = found[i - first + 1]
    if i <= with_text and text ~= ARGV[1 + i] or i > with_text and text then return -1 end
  end
end

local function is_of_another_type(reply)
  return type(reply) == 'table' and reply.err and string.find(reply.err, 'WRONGTYPE', 1, true)
end
local function ask(...)
  local reply = redis.pcall(...)
  if is_of_another_type(reply) then return false end
  return reply
end
local no_jobs = {} -- of a due set: whether it is empty, as it is most of the time
local checks = {
  field = function(key, name, value) return ask('HGET', key, name) == value end,
  no_field = function(key, name) return not ask('HGET', key, name) end,
  has = function(key, name) return ask('SISMEMBER', key, name) == 1 end,
  has_not = function(key, name) return ask('SISMEMBER', key, name) ~= 1 end,
  size = function(key, name, value) return (ask(name, key) or 0) == (tonumber(value) or 0) end,
  exists = function(key) return redis.call('EXISTS', key) == 1 end,
  job = function(key, name) return redis.call('ZSCORE', key, name) end,
  no_job = function(key, name)
    if no_jobs[key] == nil then no_jobs[key] = redis.call('ZCARD', key) == 0 end
    return no_jobs[key] or not redis.call('ZSCORE', key, name)
  end,
}

local at = 4 + with_text
for check = 1, tonumber(ARGV[3 + with_text]) do
  local kind, key, name, value = unpack(ARGV, at, at + 3)
  if not checks[kind](KEYS[tonumber(key)], name, value) then return check end
  at = at + 4
end

local function change(command, key, ...)
  local reply = redis.pcall(command, key, ...)
  if is_of_another_type(reply) then redis.call('UNLINK', key) end
  -- A command that failed for another reason fails again.
  if type(reply) == 'table' and reply.err then redis.call(command, key, ...) end
end
while ARGV[at] do
  local command, key_count = ARGV[at], tonumber(ARGV[at + 1])
  local word_count = tonumber(ARGV[at + 2 + key_count])
  local first_word = at + 3 + key_count
  if key_count == 1 then
    change(command, KEYS[tonumber(ARGV[at + 2])], unpack(ARGV, first_word, first_word + word_count - 1))
  else
    local words = {}
    for i = 1, key_count do
      words[#words + 1] = KEYS[tonumber(ARGV[at + 1 + i])]
      if command == 'MSET' then words[#words + 1] = ARGV[first_word + i - 1] end
    end
    redis.call(command, unpack(words))
  end
  at = first_word + word_count
end
return 0
