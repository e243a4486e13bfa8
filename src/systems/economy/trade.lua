-- include realm.lua
-- Gives items to another player.
-- KEYS of the move: inventory of the giver, inventory of the receiver
-- ARGV of the move: from, to, item, quantity, tradable (1 or 0), largest stack
-- Answers the item and both counts afterwards; if refused: the giver's count, or the receiver's count and the largest stack
local inventory, to_inventory = unpack(KEYS, 5)
local from, to, item, quantity, tradable, max_stack = unpack(ARGV, 3)

quantity, max_stack = tonumber(quantity), tonumber(max_stack)
local found, reply = begin({})
if not found then return reply end
if tradable == '0' then return answer({'not_tradable'}) end
local mine, theirs = count_of(inventory, item), count_of(to_inventory, item)
if quantity > mine then return answer({'not_enough_items', mine}) end
if theirs + quantity > max_stack then return answer({'stack_full', theirs, max_stack}) end
will_write()
local left = change_items(inventory, from, item, -quantity, 'trader', 'tradee_id', to)
local got = change_items(to_inventory, to, item, quantity, 'tradee', 'trader_id', from)
return answer({'ok', item, left, got})
