-- include realm.lua
-- Deletes a player: points, items, name, effects, cooldowns, bombs, and the mark of an import. The history stays.
-- KEYS of the move: name, inventory, vampire, bombs, bombs-schedule, bomb, ajobus:imported; for each effect and each
--       cooldown: its key
-- ARGV of the move: player
-- Answers nothing more
local name_key, inventory, vampire_key, bombs, schedule, bomb_key, imported = unpack(KEYS, 5, 11)
local player = ARGV[3]
local first_lasting, last_lasting = 12, kept_key and #KEYS - 1 or #KEYS

local found, reply = begin({bomb_key, name_key, vampire_key, unpack(KEYS, first_lasting, last_lasting)})
if not found then return reply end
local score, balance = read('ZSCORE', LB, player), balance_of(player)
local owned = read('HGETALL', inventory)
for i = 2, #owned, 2 do number_in(inventory, owned[i]) end
local planted = read('ZSCORE', bombs, player)
read('ZSCORE', schedule, player)
local was_imported = read('SISMEMBER', imported, player) == 1

-- Keys that are only deleted, and how their state is called.
local gone = {}
if found[2] then gone[name_key] = '' end
if found[3] then gone[vampire_key] = ':vampire' end
for i = first_lasting, last_lasting do
  if found[i - first_lasting + 4] then gone[KEYS[i]] = string.match(KEYS[i], ':[^:]+$') end
end
if not (score or planted or was_imported or #owned > 0 or next(gone)) then return answer({'player_not_found'}) end

will_write()
for _, state in pairs(gone) do remember(state, '') end
if found[1] == player then remember('bomb', '') end
if planted then remember('bombs', '') end
if was_imported then remember('imported', '') end
if score then remember('lb', '') end
change_points(player, 0 - balance, 'deleted', with_state())
for i = 1, #owned, 2 do
  local count = tonumber(owned[i + 1])
  if count ~= 0 then change_items(inventory, player, owned[i], 0 - count, 'deleted') end
end
redis.call('ZREM', LB, player)
redis.call('DEL', inventory)
for key in pairs(gone) do redis.call('DEL', key) end
if found[1] == player then redis.call('DEL', bomb_key) end
redis.call('ZREM', bombs, player)
redis.call('ZREM', schedule, player)
redis.call('SREM', imported, player)
return answer({'ok'})
