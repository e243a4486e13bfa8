-- include realm.lua
-- Makes an item out of points and other items.
-- KEYS of the move: inventory
-- ARGV of the move: player, item, name of points among the costs, largest stack; for each cost: item, amount
-- Answers the item, its count afterwards, balance; if refused: the count and the largest stack, or
-- what is needed (item, amount, ...)
local inventory = KEYS[5]
local player, item, currency, max_stack = unpack(ARGV, 3)
local costs = {unpack(ARGV, 7, #ARGV - 2)}

local found, reply = begin({})
if not found then return reply end
if #costs == 0 then return answer({'not_craftable'}) end
local count = count_of(inventory, item)
if count >= tonumber(max_stack) then return answer({'stack_full', count, max_stack}) end
local balance, items_missing = balance_of(player), false
for i = 1, #costs, 2 do
  local price = tonumber(costs[i + 1])
  if costs[i] == currency then
    if price > balance then return answer({'insufficient_balance', balance, unpack(costs)}) end
  elseif price > count_of(inventory, costs[i]) then
    items_missing = true
  end
end
if items_missing then return answer({'not_enough_items', unpack(costs)}) end

will_write()
for i = 1, #costs, 2 do
  local price = tonumber(costs[i + 1])
  if costs[i] == currency then
    change_points(player, -price, 'craft_fee', 'item', item)
    balance = balance - price
  else
    change_items(inventory, player, costs[i], -price, 'craft_fee', 'crafted', item)
  end
end
count = change_items(inventory, player, item, 1, 'item_crafted')
return answer({'ok', item, count, balance})
