-- include kit/boards/board.lua
-- include kit/documents/documents.lua
-- include kit/series/series.lua
-- Commits a town in one step, as a system would: the document, its series, the leaderboard and the next due time.
-- KEYS: text, revision, series of coins, series of pizzas, board, due set
-- ARGV: revision that the town must have, new text, now ms, user, coins, pizzas, next due ms
-- Returns {1, new revision, rank from 0}; {0} if the town has another revision
if not document_is_at(KEYS[1], KEYS[2], ARGV[1]) then return {0} end
local coins = series_plan(KEYS[3], ARGV[3], ARGV[5])
local pizzas = series_plan(KEYS[4], ARGV[3], ARGV[6])
local revision = document_put(KEYS[1], KEYS[2], ARGV[2])
series_write(coins)
series_write(pizzas)
redis.call('ZADD', KEYS[5], ARGV[5], ARGV[4])
redis.call('ZADD', KEYS[6], ARGV[7], ARGV[4])
return {1, revision, select(2, board_place(KEYS[5], ARGV[4]))}
