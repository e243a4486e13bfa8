-- include stores/redis/write_again.lua
-- include kit/events/outbox.lua
-- Every move of the economy begins with this file. All moves have these keys and arguments:
-- KEYS: ajobus, ajobus-inventory, catalogue, lb; those of the move; [key of the Idempotency-Key]
-- ARGV: catalogue version, fingerprint ('' without an Idempotency-Key); those of the move; guild id, seed
-- Returns {0, answer}; {1, answer} with the first answer if the Idempotency-Key was used before; {2} if it was used for
-- another request; {3} if the realm has another catalogue. The version '-' is for a realm without a catalogue: then the
-- move may only be refused. If it would write, it fails with UNBORN, and the caller creates the realm first. If a key has
-- a value that Larder cannot have written, the script changes nothing and fails with FOREIGN and that key.
-- An answer is lines of text: 'ok' or the name of a refusal, then the values of the move. After
-- 'insufficient_balance' come the balance and what is needed (item or name of points, amount, ...). If chance is
-- involved, the last line has the seed and the drawn numbers, in order.
local POINTS, ITEMS, CATALOGUE, LB = unpack(KEYS, 1, 4)
local VERSION, FINGERPRINT = unpack(ARGV, 1, 2)
local GUILD, SEED = unpack(ARGV, #ARGV - 1)
local POINTS_MAX = 9007199254740991
local UNBORN = '-'
local kept_key = FINGERPRINT ~= '' and KEYS[#KEYS] or nil
local kept_s = 86400
local drawn = {}

-- Returns the values of `keys`. If the move must not go on: nil, and the whole reply.
local function begin(keys)
  local first = kept_key and 2 or 1
  if kept_key then table.insert(keys, 1, kept_key) end
  table.insert(keys, first, CATALOGUE)
  local found = redis.call('MGET', unpack(keys))
  if kept_key and found[1] then
    write_again(kept_key)
    local cut = string.find(found[1], '\n', 1, true)
    if string.sub(found[1], 1, cut - 1) ~= FINGERPRINT then return nil, {2} end
    return nil, {1, string.sub(found[1], cut + 1)}
  end
  if (found[first] or UNBORN) ~= VERSION then return nil, {3} end
  local values = {}
  for i = first + 1, #keys do values[i - first] = found[i] end
  return values
end

-- Every move calls this after its last check and before it writes anything.
local function will_write()
  if VERSION == UNBORN then error({err = 'UNBORN'}) end
  check_outboxes(POINTS, ITEMS)
end

local function whole(number) return string.format('%.0f', number) end

local function answer(words)
  for i, word in ipairs(words) do
    if type(word) == 'number' then words[i] = whole(word) end
  end
  local text = table.concat(words, '\n')
  if kept_key then redis.call('SET', kept_key, FINGERPRINT .. '\n' .. text, 'EX', kept_s) end
  return {0, text}
end

-- Draws a whole number from `low` to `high`.
local function draw(low, high)
  if #drawn == 0 then math.randomseed(tonumber(SEED)) end
  drawn[#drawn + 1] = math.random(low, high)
  return drawn[#drawn]
end

local function draws() return table.concat({SEED, unpack(drawn)}, ' ') end

local function foreign(key) error({err = 'FOREIGN ' .. key}) end

-- A whole number that can be calculated with exactly. Everything else is a foreign value of `key`.
local function exact(key, number)
  if not number or math.abs(number) > POINTS_MAX or number ~= math.floor(number) then foreign(key) end
  return number
end

-- The whole number that the text is, in the only form that Redis itself counts with. Lua also reads 3.0, 0x10 or ' 5 ', but
-- then a later HINCRBY would fail, and what the move has already written would stay.
local function number_in(key, text)
  if text ~= '0' and not string.find(text, '^%-?[1-9]%d*$') then foreign(key) end
  return exact(key, tonumber(text))
end

-- Redis writes large scores with an exponent, such as 1e+15.
local function score_in(key, text) return exact(key, tonumber(text)) end

-- Calls a command that reads `key`; a key of another type is foreign.
local function read(command, key, ...)
  local value = redis.pcall(command, key, ...)
  if type(value) == 'table' and value.err then foreign(key) end
  return value
end

local function balance_of(id) return score_in(LB, read('ZSCORE', LB, id) or '0') end

local function count_of(inventory, item) return number_in(inventory, read('HGET', inventory, item) or '0') end

-- floor(amount x part / of), but exact: the plain product could exceed 2^53.
local function share_down(amount, part, of)
  local rest = math.fmod(amount, of)
  return (amount - rest) / of * part + math.floor(rest * part / of)
end

local function share_up(amount, part, of)
  local rest = math.fmod(amount, of)
  return (amount - rest) / of * part + math.ceil(rest * part / of)
end

-- Adds points; a negative `by` takes them. `...` are further fields of the event. Returns the id of the event. With 0, only
-- the event tells of it: nobody comes on the leaderboard by that.
local function change_points(id, by, kind, ...)
  by = whole(by)
  local event = append_event(POINTS, 'version', '1', 'type', kind, 'user_id', id, 'guild_id', GUILD, 'amount', by, ...)
  if by ~= '0' then redis.call('ZINCRBY', LB, by, id) end
  return event
end

-- What a realm keeps beside points and items is its state. Each change of it is told in fields of the stream of points, so
-- that a lost Redis can be rebuilt. The name of such a field is '.' and what comes behind the player's id in the key (like
-- ':vampire'), or '.' and a key of the realm itself. Its value has what was written, and for how many ms it lives. An empty
-- value means that it was deleted. SQL keeps these fields apart; players never see them.
local untold = {}

local function remember(key, value)
  untold[#untold + 1] = '.' .. key
  untold[#untold + 1] = value
end

local function for_seconds(value, seconds) return value .. ' ' .. whole(seconds * 1000) end

-- Returns further fields of an event, and behind them the state that no event has told yet.
local function with_state(...)
  local fields = {...}
  for _, word in ipairs(untold) do fields[#fields + 1] = word end
  untold = {}
  return unpack(fields)
end

-- Tells the state that no event has told yet, in an event of its own. `id` is a player, or a word that names a key of the
-- realm itself.
local function tell_state(id)
  if #untold == 0 then return end
  append_event(POINTS, 'version', '1', 'type', 'state', 'user_id', id, 'guild_id', GUILD, 'amount', '0', with_state())
end

-- Adds items; a negative `by` takes them. Returns the count afterwards.
local function change_items(inventory, id, item, by, kind, ...)
  by = whole(by)
  append_event(ITEMS, 'version', '1', 'type', kind, 'user_id', id, 'guild_id', GUILD, 'item', item, 'quantity', by, ...)
  local count = redis.call('HINCRBY', inventory, item, by)
  if count == 0 then redis.call('HDEL', inventory, item) end
  return count
end
