-- Gives a realm a catalogue in place of the one it has. A realm that never had one may have been filled by hand: then
-- what its events do not tell becomes an event of type opening, so that they tell everything from here on.
-- KEYS: ajobus, ajobus-inventory, catalogue, lb, catalogue-data, catalogue-source, drop-rate, ajobus:projected, then
--       items:{item} and craft:{item} of each item to forget and of each new one, then inventories of a realm that never
--       had a catalogue
-- ARGV: version it has ('' if none), version, data, source, number of items to forget, number of new ones, for each of
--       these (id, max stack, drop chance, number of costs, for each (item, amount)), then the players of the inventories
-- Returns 1; 0 if it has another one by now.
local POINTS, ITEMS = KEYS[1], KEYS[2]
local before = redis.call('GET', KEYS[3])
if (before or '') ~= ARGV[1] then return 0 end

local function open_realm(first_key, first_arg)
  local told_points, told_items = {}, {}
  for _, event in ipairs(redis.call('XRANGE', POINTS, '-', '+')) do
    local fields = {}
    for i = 1, #event[2], 2 do fields[event[2][i]] = event[2][i + 1] end
    local user = fields.user_id or ''
    told_points[user] = (told_points[user] or 0) + (tonumber(fields.amount) or 0)
  end
  for _, event in ipairs(redis.call('XRANGE', ITEMS, '-', '+')) do
    local fields = {}
    for i = 1, #event[2], 2 do fields[event[2][i]] = event[2][i + 1] end
    local key = (fields.user_id or '') .. '\n' .. (fields.item or '')
    told_items[key] = (told_items[key] or 0) + (tonumber(fields.quantity) or 0)
  end
  local lb = redis.call('ZRANGE', KEYS[4], 0, -1, 'WITHSCORES')
  for i = 1, #lb, 2 do
    told_points[lb[i]] = tonumber(lb[i + 1]) - (told_points[lb[i]] or 0)
  end
  local own = {}
  for i = 1, #lb, 2 do own[lb[i]] = true end
  for user, amount in pairs(told_points) do
    if not own[user] then amount = -amount end
    if amount ~= 0 and user ~= '' then
      redis.call('XADD', POINTS, '*', 'version', '1', 'type', 'opening', 'user_id', user, 'guild_id', '0', 'amount',
        string.format('%.0f', amount))
    end
  end
  local missing = {}
  for key, quantity in pairs(told_items) do missing[key] = -quantity end
  for i = first_key, #KEYS do
    local user = ARGV[first_arg + i - first_key]
    local inventory = redis.call('HGETALL', KEYS[i])
    for j = 1, #inventory, 2 do
      local key = user .. '\n' .. inventory[j]
      missing[key] = (missing[key] or 0) + tonumber(inventory[j + 1])
    end
  end
  for key, quantity in pairs(missing) do
    local user, item = string.match(key, '^(.-)\n(.*)$')
    if quantity ~= 0 and user ~= '' then
      redis.call('XADD', ITEMS, '*', 'version', '1', 'type', 'opening', 'user_id', user, 'guild_id', '0', 'item', item,
        'quantity', string.format('%.0f', quantity))
    end
  end
end

local key, arg = 9, 7
for _ = 1, tonumber(ARGV[5]) do
  redis.call('DEL', KEYS[key], KEYS[key + 1])
  key = key + 2
end
redis.call('DEL', KEYS[7])
for _ = 1, tonumber(ARGV[6]) do
  local item_key, craft_key = KEYS[key], KEYS[key + 1]
  local id, max_stack, drop, costs = ARGV[arg], ARGV[arg + 1], ARGV[arg + 2], tonumber(ARGV[arg + 3])
  arg = arg + 4
  redis.call('DEL', item_key, craft_key)
  redis.call('HSET', item_key, 'max_stack', max_stack)
  if costs > 0 then redis.call('HSET', item_key, 'currency', ARGV[arg], 'price', ARGV[arg + 1]) end
  for i = 1, costs do redis.call('RPUSH', craft_key, ARGV[arg + i * 2 - 2], ARGV[arg + i * 2 - 1]) end
  if drop ~= '0' then redis.call('RPUSH', KEYS[7], id, drop, max_stack) end
  key, arg = key + 2, arg + costs * 2
end
redis.call('SET', KEYS[3], ARGV[2])
redis.call('SET', KEYS[5], ARGV[3])
redis.call('SET', KEYS[6], ARGV[4])
if not before and redis.call('EXISTS', KEYS[8]) == 0 then open_realm(key, arg) end
return 1
