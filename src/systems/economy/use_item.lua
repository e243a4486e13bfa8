-- include realm.lua
-- Uses an item up.
-- KEYS 5..: inventory, what it is about: vampire, an effect or bombs
-- ARGV 3..: player, item, kind, target or '', and of clear_vampire: nothing; lower_vampire: levels, ttl per level, ttl
--           max; effect: its name, value without one, by, seconds, stacks (1 or 0); radar: how many, now ms
-- Answers the item, how many are left, the kind, then of vampire kinds: the level; effect: name, value, seconds; radar:
-- owner, ms until it is due (...)
local player, item, kind, target = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local inventory, subject = KEYS[5], KEYS[6]
local found, reply = begin({})
if not found then return reply end
if count_of(inventory, item) < 1 then return answer({'not_enough_items', 0}) end

local function use_up()
  if target == '' then return change_items(inventory, player, item, -1, 'item_used') end
  return change_items(inventory, player, item, -1, 'item_used', 'target_id', target)
end

if kind == 'clear_vampire' then
  local left = use_up()
  redis.call('DEL', subject)
  return answer({'ok', item, left, kind, 1})
elseif kind == 'lower_vampire' then
  local level, levels, level_ttl, ttl_max = tonumber(redis.call('GET', subject) or '1'), ARGV[7], ARGV[8], ARGV[9]
  if level < 2 then return answer({'not_usable'}) end
  level = math.max(level - levels, 1)
  local left = use_up()
  redis.call('SET', subject, whole(level), 'EX', whole(math.min(level_ttl * level, ttl_max)))
  return answer({'ok', item, left, kind, level})
elseif kind == 'effect' then
  local name, without, by, seconds, stacks = ARGV[7], ARGV[8], tonumber(ARGV[9]), ARGV[10], ARGV[11]
  local active = stacks == '1' and redis.call('GET', subject)
  local value = tonumber(active or without) + by
  if value > POINTS_MAX then return answer({'not_usable'}) end
  local left = use_up()
  redis.call('SET', subject, whole(value), 'EX', seconds)
  return answer({'ok', item, left, kind, name, value, seconds})
end
-- radar
local words = {'ok', item, use_up(), kind}
local bombs = redis.call('ZRANGE', subject, 0, ARGV[7] - 1, 'WITHSCORES')
for i = 1, #bombs, 2 do
  words[#words + 1] = bombs[i]
  words[#words + 1] = math.max(bombs[i + 1] - ARGV[8], 0)
end
return answer(words)
