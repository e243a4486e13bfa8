-- include realm.lua
-- Gives points to another player.
-- KEYS of the move: none    ARGV of the move: from, to, amount, name of points
-- Answers both balances
local from, to, amount, currency = unpack(ARGV, 3)

amount = tonumber(amount)
local found, reply = begin({})
if not found then return reply end
local mine, theirs = balance_of(from), balance_of(to)
if amount > mine then return answer({'insufficient_balance', mine, currency, amount}) end
if theirs + amount > POINTS_MAX then return answer({'balance_limit'}) end
will_write()
change_points(from, -amount, 'payer', 'payee_id', to)
change_points(to, amount, 'payee', 'payer_id', from)
return answer({'ok', mine - amount, theirs + amount})
