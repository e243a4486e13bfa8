-- include realm.lua
-- Farms. A pending bomb goes off. Otherwise the player gains points, may find an item, and may meet a vampire.
-- KEYS of the move: name, inventory, vampire, gain, vampire-curse, bomb, drop-rate; the lock, if there is a cooldown
-- ARGV of the move: player, name, gain, highest vampire level, bomb damage in percent, balance needed to find items, faces
--       of the drop die, sum of all drop chances, vampire's chance at level 1, chance per log10, ttl per level, largest
--       ttl, least damage in tenths per level, its limit, largest damage in tenths per level, its limit, item that
--       guards (or ''), seconds of the cooldown (0: none)
-- Answers gained, balance, found item or '', its count, vampire's level or 0, damage, guarded (1 or 0), bomb's owner or '',
-- its damage, draws; if refused with on_cooldown: the seconds left
local name_key, inventory, vampire_key, gain_key, curse_key, bomb_key, drop_rate = unpack(KEYS, 5)
local player, name, usual_gain, level_max, bomb_percent, find_min, faces, hits, chance_first, chance_log10, level_ttl,
  ttl_max, low_tenths, low_max, high_tenths, high_max, guard, cooldown_s = unpack(ARGV, 3)
local lock = cooldown_s ~= '0' and KEYS[12] or nil

local found, reply = begin({name_key, vampire_key, gain_key, curse_key, bomb_key, lock})
if not found then return reply end
local level, gain = number_in(vampire_key, found[2] or '1'), number_in(gain_key, found[3] or usual_gain)
local curse, bomb = number_in(curse_key, found[4] or '0'), found[5]
-- The level decides how long it is remembered, so it is at least 1.
if level < 1 then foreign(vampire_key) end
local balance = balance_of(player)
if lock and found[6] then
  local left_ms = redis.call('PTTL', lock)
  if left_ms < 0 then
    -- A lock without an expiry was made by hand.
    will_write()
    left_ms = cooldown_s * 1000
    remember(':farm_lock', for_seconds('1', cooldown_s))
    tell_state(player)
    redis.call('EXPIRE', lock, cooldown_s)
  end
  return answer({'on_cooldown', math.ceil(left_ms / 1000)})
end
local told = {gained = 0, item = '', count = 0, level = 0, damage = 0, guarded = 0, owner = '', bomb_damage = 0}

-- The first three functions decide and write nothing.
local function find_item()
  local roll = draw(1, tonumber(faces))
  if roll > tonumber(hits) then return end
  local drops = redis.call('LRANGE', drop_rate, 0, -1)
  local sum = 0
  for i = 1, #drops, 3 do
    sum = sum + tonumber(drops[i + 1])
    if roll <= sum then
      if count_of(inventory, drops[i]) < tonumber(drops[i + 2]) then told.item = drops[i] end
      return
    end
  end
end

local function is_guarded()
  if guard == '' then return false end
  return count_of(inventory, guard) > 0 or told.item == guard
end

local function meet_vampire()
  local chance = level == 1 and tonumber(chance_first) or chance_log10 * math.log10(level)
  if chance + curse < draw(0, 99) then return end
  told.level = level
  if balance == 0 then return end
  if is_guarded() then
    told.guarded = 1
  else
    local low = math.ceil(math.min(low_tenths * level / 10, low_max))
    local high = math.floor(math.min(high_tenths * level / 10, high_max))
    told.damage = share_up(balance, draw(low, math.max(low, high)), 100)
  end
end

local function vampire_ttl(next_level) return math.min(level_ttl * next_level, ttl_max) end

local function remember_vampire(next_level)
  remember(':vampire', for_seconds(whole(next_level), vampire_ttl(next_level)))
end

local function set_vampire(next_level)
  redis.call('SET', vampire_key, whole(next_level), 'EX', whole(vampire_ttl(next_level)))
end

local function earn()
  local farmed = gain > 0 and change_points(player, gain, 'farm', with_state())
  if told.item == '' then return end
  if farmed then
    told.count = change_items(inventory, player, told.item, 1, 'item_earned', 'trigger', 'farm', 'trigger_id', farmed)
  else
    told.count = change_items(inventory, player, told.item, 1, 'item_earned', 'trigger', 'farm')
  end
end

local next_vampire
local function suffer_vampire()
  if told.guarded == 1 then change_items(inventory, player, guard, -1, 'item_used', 'trigger', 'vampire') end
  if told.damage > 0 then change_points(player, -told.damage, 'vampire', with_state('level', whole(level))) end
  tell_state(player)
  set_vampire(next_vampire)
  balance = balance - told.damage
end

if found[1] ~= name then remember('', name) end
if lock then remember(':farm_lock', for_seconds('1', cooldown_s)) end
if level > tonumber(level_max) then
  will_write()
  -- A level without an expiry was made by hand, and would never be forgotten.
  if redis.call('TTL', vampire_key) < 0 then
    remember_vampire(level)
    tell_state(player)
    set_vampire(level)
  end
elseif bomb then
  will_write()
  told.owner = bomb
  told.bomb_damage = share_down(balance, bomb_percent, 100)
  redis.call('DEL', bomb_key)
  remember('bomb', '')
  if told.bomb_damage > 0 then change_points(player, -told.bomb_damage, 'bomb', with_state('owner_id', bomb)) end
  balance = balance - told.bomb_damage
else
  if balance + gain > POINTS_MAX then return answer({'balance_limit'}) end
  told.gained = gain
  balance = balance + gain
  if balance >= tonumber(find_min) then find_item() end
  meet_vampire()
  will_write()
  next_vampire = balance == 0 and level or level + 1
  if told.level > 0 then remember_vampire(next_vampire) end
  earn()
  if told.level > 0 then suffer_vampire() end
end
tell_state(player)
if found[1] ~= name then redis.call('SET', name_key, name) end
if lock then redis.call('SET', lock, '1', 'EX', cooldown_s) end
return answer({'ok', told.gained, balance, told.item, told.count, told.level, told.damage, told.guarded, told.owner,
  told.bomb_damage, draws()})
