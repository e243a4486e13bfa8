-- include realm.lua
-- Gives items to another player.
-- KEYS of the move: inventory of the giver, inventory of the receiver, items:{item}
-- ARGV of the move: from, to, item, quantity, tradable (1 or 0)
-- Answers the item and both counts afterwards; if refused: the giver's count, or the receiver's count and the largest stack
local inventory, to_inventory, item_key = unpack(KEYS, 5)
local from, to, item, quantity, tradable = unpack(ARGV, 3)

quantity = tonumber(quantity)
local found, reply = begin({})
if not found then return reply end
if tradable == '0' then return answer({'not_tradable'}) end
local mine, theirs = count_of(inventory, item), count_of(to_inventory, item)
if quantity > mine then return answer({'not_enough_items', mine}) end
local max_stack = tonumber(redis.call('HGET', item_key, 'max_stack'))
if theirs + quantity > max_stack then return answer({'stack_full', theirs, max_stack}) end
local left = change_items(inventory, from, item, -quantity, 'trader', 'tradee_id', to)
local got = change_items(to_inventory, to, item, quantity, 'tradee', 'trader_id', from)
return answer({'ok', item, left, got})
