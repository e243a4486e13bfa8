-- include realm.lua
-- Brings players from elsewhere: each gets points, items and a name, as openings. A player is imported once.
-- KEYS of the move: ajobus:imported; for each player: name, inventory
-- ARGV of the move: for each player: id, name (or ''), points, number of items; for each item: id, count
-- Answers a word for each player: imported, unchanged (was imported before), or player_exists
local imported = KEYS[5]

local found, reply = begin({})
if not found then return reply end

-- Calls `what` with each player and the place of its items in ARGV.
local function each_player(what)
  local key, arg = 6, 3
  while arg < #ARGV - 1 do
    local id, name, points, items = unpack(ARGV, arg, arg + 3)
    what({id = id, name = name, points = tonumber(points), name_key = KEYS[key], inventory = KEYS[key + 1],
      first_item = arg + 4, last_item = arg + 3 + 2 * items})
    key, arg = key + 2, arg + 4 + 2 * items
  end
end

local words, any = {'ok'}, false
each_player(function(player)
  if read('SISMEMBER', imported, player.id) == 1 then
    words[#words + 1] = 'unchanged'
  elseif read('ZSCORE', LB, player.id) or redis.call('EXISTS', player.name_key, player.inventory) > 0 then
    words[#words + 1] = 'player_exists'
  else
    words[#words + 1] = 'imported'
    any = true
  end
end)
if not any then return answer(words) end

will_write()
local at = 1
each_player(function(player)
  at = at + 1
  if words[at] ~= 'imported' then return end
  remember('imported', '1')
  if player.name ~= '' then remember('', player.name) end
  if player.points > 0 then change_points(player.id, player.points, 'opening', with_state()) end
  tell_state(player.id)
  for i = player.first_item, player.last_item, 2 do
    change_items(player.inventory, player.id, ARGV[i], tonumber(ARGV[i + 1]), 'opening')
  end
  if player.name ~= '' then redis.call('SET', player.name_key, player.name) end
  redis.call('SADD', imported, player.id)
end)
return answer(words)
