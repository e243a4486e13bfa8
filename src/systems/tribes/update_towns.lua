-- include kit/documents/documents.lua
-- include kit/series/series.lua
-- include town_writes.lua
-- Writes towns that have only advanced, each on its own: a town that has changed since it was read is left alone.
-- KEYS: revision of the world, updates, leaderboard, watched, goals, jobs, moment that towns have reached; for each town: text,
-- revision, coins, pizzas
-- ARGV: revision of the world, now ms; for each town: user, revision, game ms, text, due ms ('' if it is not due), due ms if
-- somebody watches, coins, pizzas, 1 if it is on the leaderboard, game ms at which it reached the goal ('' if it did not),
-- the newest block of coins and of pizzas with these values ('' if the script has to make it)
-- Returns {0, for each town: 1 if it was written, 0 if it had changed}; {3} if the world has changed
local world, reached = KEYS[1], KEYS[7]
local world_revision, now = unpack(ARGV, 1, 2)

local revision_keys = {world, reached}
for k = 9, #KEYS, 4 do revision_keys[#revision_keys + 1] = KEYS[k] end
local found = redis.call('MGET', unpack(revision_keys))
if (found[1] or '0') ~= world_revision then return {3} end
local towns, reply = begin_towns({unpack(KEYS, 2, 7)}, now, found[2]), {0}
for i = 1, #revision_keys - 2 do
  local user, expected, at, text, due, due_watched, coins, pizzas, ranked, goal_at, coins_block, pizzas_block =
    unpack(ARGV, 12 * i - 9, 12 * i + 2)
  local first_key = 4 * i + 4
  local same = found[2 + i] == expected or document_revision_from(KEYS[first_key], found[2 + i]) == expected
  if same then
    plan_town(towns, first_key, expected, at, user, text, due, due_watched, coins, pizzas, ranked, goal_at, coins_block,
      pizzas_block)
  end
  reply[1 + i] = same and 1 or 0
end
if #towns.users > 0 then write_planned(towns) end
return reply
