-- include realm.lua
-- Sells items to the bank.
-- KEYS of the move: inventory    ARGV of the move: player, item, quantity, points for one (0: the bank does not buy it)
-- Answers the item, its count afterwards, gained points, balance; if refused: the count
local inventory = KEYS[5]
local player, item, quantity, price = unpack(ARGV, 3)

quantity, price = tonumber(quantity), tonumber(price)
local found, reply = begin({})
if not found then return reply end
if price == 0 then return answer({'not_sellable'}) end
local count, balance, gained = count_of(inventory, item), balance_of(player), quantity * price
if quantity > count then return answer({'not_enough_items', count}) end
if balance + gained > POINTS_MAX then return answer({'balance_limit'}) end
will_write()
change_points(player, gained, 'sale', 'item', item)
local left = change_items(inventory, player, item, -quantity, 'item_sold')
return answer({'ok', item, left, gained, balance + gained})
