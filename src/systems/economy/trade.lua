-- include realm.lua
-- Gives items to another player.
-- KEYS 5..: inventories of both, items:{item}
-- ARGV 3..: from, to, item, quantity, tradable (1 or 0)
-- Answers the item, how many both have then; refused it says how many there are
local from, to, item, quantity = ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local found, reply = begin({})
if not found then return reply end
if ARGV[7] == '0' then return answer({'not_tradable'}) end
local mine, theirs = count_of(KEYS[5], item), count_of(KEYS[6], item)
if quantity > mine then return answer({'not_enough_items', mine}) end
local max_stack = tonumber(redis.call('HGET', KEYS[7], 'max_stack'))
if theirs + quantity > max_stack then return answer({'stack_full', theirs, max_stack}) end
local left = change_items(KEYS[5], from, item, -quantity, 'trader', 'tradee_id', to)
local got = change_items(KEYS[6], to, item, quantity, 'tradee', 'trader_id', from)
return answer({'ok', item, left, got})
