-- include kit/events/outbox.lua
-- include kit/boards/board.lua
-- include view.lua
-- Reads places of the leaderboard: the first ones, or those around a player.
-- KEYS: ajobus, ajobus-inventory, catalogue, lb
-- ARGV: known (1: this server knows the catalogue of the realm), how many places, player ('': the first places)
-- Returns {3} if the realm no longer has a catalogue; otherwise {0, rank of the first place, counted from 0, {player, score,
-- ...}}, without places if the player has no score
local points, items, catalogue, lb = unpack(KEYS)
local known, count, player = unpack(ARGV)

if not begin_view(redis.call('GET', catalogue), known == '1', points, items) then return {3} end
local first = player == '' and 0 or board_first_around(lb, player, count)
return {0, first or 0, first and board_places(lb, first, count) or {}}
