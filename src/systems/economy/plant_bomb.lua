-- include realm.lua
-- Plants a bomb that becomes pending around a time; an earlier one of the player is replaced.
-- KEYS 5..: inventory, bombs, bombs-schedule
-- ARGV 3..: player, item, seconds, spread in seconds, now ms
-- Answers how many items are left, due ms, draws
local player, item, seconds, spread, now = ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local found, reply = begin({})
if not found then return reply end
if count_of(KEYS[5], item) < 1 then return answer({'not_enough_items', 0}) end
local due = whole(now + math.max(seconds * 1000 + draw(-spread * 1000, spread * 1000), 0))
local left = change_items(KEYS[5], player, item, -1, 'item_used', 'trigger', 'bomb')
redis.call('ZADD', KEYS[6], due, player)
redis.call('ZADD', KEYS[7], due, player)
return answer({'ok', left, due, draws()})
