-- include realm.lua
-- Farms: a pending bomb goes off; or points are gained, perhaps an item is found, perhaps a vampire comes.
-- KEYS 5..: name, inventory, vampire, gain, vampire-curse, bomb, drop-rate
-- ARGV 3..: player, name, gain, highest vampire level, bomb damage percent, balance to find items, faces of the drop
--           die, sum of all drop chances, vampire's chance at level 1, chance per log10, ttl per level, ttl max,
--           damage from tenths per level, at most, to tenths per level, at most, item that guards or ''
-- Answers gained, balance, item found or '', its count, vampire's level or 0, damage, guarded (1 or 0), bomb's owner
-- or '', its damage, draws
local player, name = ARGV[3], ARGV[4]
local level_max, bomb_percent, find_min, faces, hits = ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local chance_first, chance_log10, level_ttl, ttl_max = ARGV[11], ARGV[12], ARGV[13], ARGV[14]
local low_tenths, low_max, high_tenths, high_max, guard = ARGV[15], ARGV[16], ARGV[17], ARGV[18], ARGV[19]
local inventory, vampire_key = KEYS[6], KEYS[7]

local found, reply = begin({KEYS[5], vampire_key, KEYS[8], KEYS[9], KEYS[10]})
if not found then return reply end
local level, gain, curse, bomb = tonumber(found[2] or '1'), tonumber(found[3] or ARGV[5]), tonumber(found[4] or '0'), found[5]
local balance = balance_of(player)
local told = {gained = 0, item = '', count = 0, level = 0, damage = 0, guarded = 0, owner = '', bomb_damage = 0}

local function find_item()
  local roll = draw(1, tonumber(faces))
  if roll > tonumber(hits) then return end
  local drops = redis.call('LRANGE', KEYS[11], 0, -1)
  local sum = 0
  for i = 1, #drops, 3 do
    sum = sum + tonumber(drops[i + 1])
    if roll <= sum then
      if count_of(inventory, drops[i]) >= tonumber(drops[i + 2]) then return end
      told.item = drops[i]
      told.count = change_items(inventory, player, drops[i], 1, 'item_earned', 'trigger', 'farm')
      return
    end
  end
end

local function set_vampire(next_level)
  redis.call('SET', vampire_key, whole(next_level), 'EX', whole(math.min(level_ttl * next_level, ttl_max)))
end

local function meet_vampire()
  local chance = level == 1 and tonumber(chance_first) or chance_log10 * math.log10(level)
  if chance + curse < draw(0, 99) then return end
  told.level = level
  if balance == 0 then
    set_vampire(level)
    return
  end
  if guard ~= '' and count_of(inventory, guard) > 0 then
    told.guarded = 1
    change_items(inventory, player, guard, -1, 'item_used', 'trigger', 'vampire')
  else
    local low = math.ceil(math.min(low_tenths * level / 10, low_max))
    local high = math.floor(math.min(high_tenths * level / 10, high_max))
    told.damage = share_up(balance, draw(low, math.max(low, high)), 100)
    if told.damage > 0 then change_points(player, -told.damage, 'vampire', 'level', whole(level)) end
    balance = balance - told.damage
  end
  set_vampire(level + 1)
end

if level <= tonumber(level_max) then
  if bomb then
    told.owner = bomb
    told.bomb_damage = share_down(balance, bomb_percent, 100)
    redis.call('DEL', KEYS[10])
    if told.bomb_damage > 0 then change_points(player, -told.bomb_damage, 'bomb', 'owner_id', bomb) end
    balance = balance - told.bomb_damage
  else
    if balance + gain > POINTS_MAX then return answer({'balance_limit'}) end
    told.gained = gain
    if gain > 0 then change_points(player, gain, 'farm') end
    balance = balance + gain
    if balance >= tonumber(find_min) then find_item() end
    meet_vampire()
  end
end
if found[1] ~= name then redis.call('SET', KEYS[5], name) end
return answer({'ok', told.gained, balance, told.item, told.count, told.level, told.damage, told.guarded, told.owner,
  told.bomb_damage, draws()})
