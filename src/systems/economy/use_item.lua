-- include realm.lua
-- Uses up an item.
-- KEYS of the move: inventory, key that the item acts on (vampire, an effect, or bombs)
-- ARGV of the move: player, item, kind, target (or ''), then by kind: clear_vampire: nothing; lower_vampire: levels, ttl per
--       level, largest ttl; effect: its name, value without the effect, by, seconds, stacks (1 or 0); radar: how many, now ms
-- Answers the item, how many are left, the kind, then by kind: clear_vampire, lower_vampire: the level; effect: name, value,
-- seconds; radar: owner, ms until due, ...
local inventory, subject = unpack(KEYS, 5)
local player, item, kind, target = unpack(ARGV, 3)

local found, reply = begin({})
if not found then return reply end
if count_of(inventory, item) < 1 then return answer({'not_enough_items', 0}) end

local function use_up()
  will_write()
  if target == '' then return change_items(inventory, player, item, -1, 'item_used') end
  return change_items(inventory, player, item, -1, 'item_used', 'target_id', target)
end

if kind == 'clear_vampire' then
  local left = use_up()
  remember(':vampire', '')
  tell_state(player)
  redis.call('DEL', subject)
  return answer({'ok', item, left, kind, 1})
elseif kind == 'lower_vampire' then
  local levels, level_ttl, ttl_max = unpack(ARGV, 7)
  local level = number_in(subject, read('GET', subject) or '1')
  if level < 2 then return answer({'not_usable'}) end
  level = math.max(level - levels, 1)
  local left, ttl_s = use_up(), math.min(level_ttl * level, ttl_max)
  remember(':vampire', for_seconds(whole(level), ttl_s))
  tell_state(player)
  redis.call('SET', subject, whole(level), 'EX', whole(ttl_s))
  return answer({'ok', item, left, kind, level})
elseif kind == 'effect' then
  local name, without, by, seconds, stacks = unpack(ARGV, 7)
  local active = stacks == '1' and read('GET', subject)
  local value = number_in(subject, active or without) + tonumber(by)
  if value > POINTS_MAX then return answer({'not_usable'}) end
  local left = use_up()
  remember(string.match(subject, ':[^:]+$'), for_seconds(whole(value), seconds))
  tell_state(target == '' and player or target)
  redis.call('SET', subject, whole(value), 'EX', seconds)
  return answer({'ok', item, left, kind, name, value, seconds})
end
-- radar
local most, now = unpack(ARGV, 7)
local bombs = read('ZRANGE', subject, 0, most - 1, 'WITHSCORES')
local words = {'ok', item, use_up(), kind}
for i = 1, #bombs, 2 do
  words[#words + 1] = bombs[i]
  words[#words + 1] = math.max(bombs[i + 1] - now, 0)
end
return answer(words)
