-- include realm.lua
-- include kit/boards/board.lua
-- Gives or takes points and items, sets or ends effects, and gives a name: all of it, or nothing.
-- KEYS of the move: name, inventory, vampire; for each effect and each cooldown: its key
-- ARGV of the move: player, reason, points (below 0: takes them), name of points, name ('' for the present one), number of
--       effects; for each effect: value ('' for the present one, '-' to end it), seconds; number of cooldowns; for each
--       cooldown: its name; then for each item: id, by how many (below 0: takes them), largest stack
-- Answers balance, rank from 0 or '', vampire's level, number of items; for each item: id, count; for each effect: value or
-- '', ms left; number of cooldowns; for each cooldown: name, ms left; and behind all that the player's name, which may have
-- several lines. If refused: the balance and what is needed, what is needed, or the count, the largest stack and the item
local name_key, inventory, vampire_key = unpack(KEYS, 5, 7)
local player, reason, by, currency, new_name, effects = unpack(ARGV, 3, 8)
local first_effect = 8

by, effects = tonumber(by), tonumber(effects)
local cooldowns = tonumber(ARGV[9 + 2 * effects])
local first_item = 10 + 2 * effects + cooldowns
local found, reply = begin({name_key, vampire_key, unpack(KEYS, first_effect, first_effect + effects + cooldowns - 1)})
if not found then return reply end
local balance, level = balance_of(player), number_in(vampire_key, found[2] or '1')
local name = new_name ~= '' and new_name or found[1] or ''
local counts = {}
local owned = read('HGETALL', inventory)
for i = 1, #owned, 2 do
  if string.find(owned[i], '\n', 1, true) then foreign(inventory) end
  counts[owned[i]] = number_in(inventory, owned[i + 1])
end

-- Calls `what` with each item that is given or taken.
local function each_item(what)
  for i = first_item, #ARGV - 2, 3 do what(ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])) end
end

if by < 0 and balance + by < 0 then return answer({'insufficient_balance', balance, currency, 0 - by}) end
if balance + by > POINTS_MAX then return answer({'balance_limit'}) end
local taken, missing, full = {}, false, nil
each_item(function(item, change, max_stack)
  local count = counts[item] or 0
  if change < 0 then
    taken[#taken + 1] = item
    taken[#taken + 1] = 0 - change
    missing = missing or count + change < 0
  elseif count + change > max_stack and not full then
    full = {count, max_stack, item}
  end
end)
if missing then return answer({'not_enough_items', unpack(taken)}) end
if full then return answer({'stack_full', unpack(full)}) end

-- What is left of each effect and each cooldown: value or '', ms.
local lasting = {}
for i = 1, effects + cooldowns do
  local key, value = KEYS[first_effect + i - 1], found[i + 2]
  if i <= effects and value then number_in(key, value) end
  lasting[i] = {value or '', value and redis.call('PTTL', key) or 0}
end

will_write()
if new_name ~= '' then remember('', new_name) end
for i = 1, effects do
  local key, value, seconds = KEYS[first_effect + i - 1], ARGV[7 + 2 * i], ARGV[8 + 2 * i]
  if value == '-' then
    remember(string.match(key, ':[^:]+$'), '')
    lasting[i] = {'', 0}
  elseif value ~= '' then
    remember(string.match(key, ':[^:]+$'), for_seconds(value, seconds))
    lasting[i] = {value, seconds * 1000}
  end
end
if by ~= 0 or #untold > 0 then change_points(player, by, 'adjust', with_state('reason', reason)) end
each_item(function(item, change)
  counts[item] = change_items(inventory, player, item, change, 'adjust', 'reason', reason)
end)
if new_name ~= '' then redis.call('SET', name_key, new_name) end
for i = 1, effects do
  local key, value, seconds = KEYS[first_effect + i - 1], ARGV[7 + 2 * i], ARGV[8 + 2 * i]
  if value == '-' then
    redis.call('DEL', key)
  elseif value ~= '' then
    redis.call('SET', key, value, 'EX', seconds)
  end
end

local _, rank = board_place(LB, player)
local words = {'ok', balance + by, rank or '', level, 0}
for item, count in pairs(counts) do
  if count ~= 0 then
    words[5] = words[5] + 1
    words[#words + 1] = item
    words[#words + 1] = count
  end
end
for i, left in ipairs(lasting) do
  if i == effects + 1 then words[#words + 1] = cooldowns end
  words[#words + 1] = i > effects and ARGV[9 + effects + i] or left[1]
  words[#words + 1] = left[2]
end
words[#words + 1] = name
return answer(words)
