-- include kit/events/outbox.lua
-- Replaces the catalogue of a realm. A realm without a catalogue may have been filled by hand. Then every
-- balance and every stack that the events do not explain gets an event of type opening, so that from now on the
-- events explain everything.
-- The catalogue itself is also recorded, as state (see realm.lua).
-- KEYS: ajobus, ajobus-inventory, catalogue, lb, catalogue-data, catalogue-source, drop-rate, ajobus:projected;
--       for each item to forget: items:{item}, craft:{item}; for each new item: items:{item}, craft:{item};
--       for each player (only if the realm never had a catalogue): inventory
-- ARGV: version that the realm has ('' if none), new version, data, source, number of items to forget, number of new items,
--       tell (1, or 0 if the events explain everything and have the catalogue: then nothing is recorded);
--       for each new item: id, max stack, drop chance, number of costs, and for each cost: item, amount;
--       for each player: id
-- Returns 1; 0 if the realm has another catalogue by now
local points_stream, items_stream, version_key, lb, data_key, source_key, drop_rate, projected = unpack(KEYS, 1, 8)
local version_before, version, data, source, forget_count, new_count, tell = unpack(ARGV, 1, 7)

local before = redis.call('GET', version_key)
if (before or '') ~= version_before then return 0 end
if tell == '1' then check_outboxes(points_stream, items_stream) end

local function whole_number(text)
  if not text or not string.find(text, '^%-?%d+$') then return nil end
  local number = tonumber(text)
  return math.abs(number) <= 9007199254740991 and number or nil
end

local function is_player(text) return text and #text <= 64 and string.find(text, '^[%w_.@+|-]+$') end

local function is_item(text)
  if not text or text == '' or string.find(text, '%z') then return false end
  return select(2, string.gsub(text, '[^\128-\191]', '')) <= 64
end

-- Calls `what` with the fields and the change of each event that counts for the journal.
local function each_change(stream, number, what)
  for _, event in ipairs(redis.call('XRANGE', stream, '-', '+')) do
    local fields = {}
    for i = 1, #event[2], 2 do fields[event[2][i]] = event[2][i + 1] end
    local by = whole_number(fields[number])
    if by and is_player(fields.user_id) then what(fields, by) end
  end
end

-- What players own beyond what the events explain: points by player, items by 'player\nitem'.
local function find_untold()
  local points, items = {}, {}
  each_change(points_stream, 'amount', function(fields, by)
    points[fields.user_id] = (points[fields.user_id] or 0) - by
  end)
  each_change(items_stream, 'quantity', function(fields, by)
    if not is_item(fields.item) then return end
    local key = fields.user_id .. '\n' .. fields.item
    items[key] = (items[key] or 0) - by
  end)
  local board = redis.call('ZRANGE', lb, 0, -1, 'WITHSCORES')
  for i = 1, #board, 2 do
    local player = board[i]
    if is_player(player) then points[player] = (points[player] or 0) + tonumber(board[i + 1]) end
  end
  local first = 9 + 2 * (forget_count + new_count)
  for i = first, #KEYS do
    local player = ARGV[#ARGV - #KEYS + i]
    local inventory = redis.call('HGETALL', KEYS[i])
    for j = 1, #inventory, 2 do
      local key = player .. '\n' .. inventory[j]
      items[key] = (items[key] or 0) + (whole_number(inventory[j + 1]) or 0)
    end
  end
  return points, items
end

local untold_points, untold_items = {}, {}
if tell == '1' and not before and redis.call('EXISTS', projected) == 0 then
  untold_points, untold_items = find_untold()
end

local key, arg = 9, 8
for _ = 1, tonumber(forget_count) do
  redis.call('DEL', KEYS[key], KEYS[key + 1])
  key = key + 2
end
redis.call('DEL', drop_rate)
for _ = 1, tonumber(new_count) do
  local item_key, craft_key = KEYS[key], KEYS[key + 1]
  local id, max_stack, drop, costs = ARGV[arg], ARGV[arg + 1], ARGV[arg + 2], tonumber(ARGV[arg + 3])
  arg = arg + 4
  redis.call('DEL', item_key, craft_key)
  redis.call('HSET', item_key, 'max_stack', max_stack)
  if costs > 0 then redis.call('HSET', item_key, 'currency', ARGV[arg], 'price', ARGV[arg + 1]) end
  for i = 1, costs do redis.call('RPUSH', craft_key, ARGV[arg + i * 2 - 2], ARGV[arg + i * 2 - 1]) end
  if drop ~= '0' then redis.call('RPUSH', drop_rate, id, drop, max_stack) end
  key, arg = key + 2, arg + costs * 2
end
redis.call('SET', version_key, version)
redis.call('SET', data_key, data)
redis.call('SET', source_key, source)
if tell == '1' then
  append_event(points_stream, 'version', '1', 'type', 'state', 'user_id', 'catalogue', 'guild_id', '0', 'amount', '0',
    '.catalogue-source', source, '.catalogue-data', data)
end
for player, by in pairs(untold_points) do
  if by ~= 0 then
    append_event(points_stream, 'version', '1', 'type', 'opening', 'user_id', player, 'guild_id', '0', 'amount',
      string.format('%.0f', by))
  end
end
for key, by in pairs(untold_items) do
  if by ~= 0 then
    local player, item = string.match(key, '^(.-)\n(.*)$')
    append_event(items_stream, 'version', '1', 'type', 'opening', 'user_id', player, 'guild_id', '0', 'item', item,
      'quantity', string.format('%.0f', by))
  end
end
return 1
