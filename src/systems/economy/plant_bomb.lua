-- include realm.lua
-- Plants a bomb that becomes pending at about the given time. It replaces an earlier bomb of the player.
-- KEYS of the move: inventory, bombs, bombs-schedule
-- ARGV of the move: player, item, seconds, spread in seconds, now ms
-- Answers how many of the item are left, due ms, draws, the approximate due ms, by how many seconds that may be off
local inventory, bombs, schedule = unpack(KEYS, 5)
local player, item, seconds, spread, now = unpack(ARGV, 3)

local found, reply = begin({})
if not found then return reply end
if count_of(inventory, item) < 1 then return answer({'not_enough_items', 0}) end
read('ZSCORE', bombs, player)
read('ZSCORE', schedule, player)
local due = whole(now + math.max(seconds * 1000 + draw(-spread * 1000, spread * 1000), 0))
will_write()
local left = change_items(inventory, player, item, -1, 'item_used', 'trigger', 'bomb')
remember('bombs', due)
tell_state(player)
redis.call('ZADD', bombs, due, player)
redis.call('ZADD', schedule, due, player)
return answer({'ok', left, due, draws(), now + seconds * 1000, spread})
