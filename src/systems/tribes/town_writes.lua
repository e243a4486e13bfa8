-- For the scripts that write towns, after documents.lua and series.lua: what is written for several towns goes to Redis in
-- a few calls. A script plans all its towns first and writes last.
-- KEYS and ARGV: those of the script that includes it

-- A script that fails in the middle keeps what it has written. So it looks at the types of its keys first: `command` is a
-- command that needs the type of this key and changes nothing.
local function check_type(command, key)
  local reply = redis.pcall(command, key)
  if type(reply) == 'table' and reply.err then error(key .. ' is corrupt: ' .. reply.err, 0) end
end

-- `keys`: updates, leaderboard, watched, goals, jobs, moment that towns have reached. `reached`: that moment, as GET shows it.
local function begin_towns(keys, now, reached)
  for i = 1, 5 do check_type('ZCARD', keys[i]) end
  if reached and not tonumber(reached) then error(keys[6] .. ' is corrupt: it is not a number', 0) end
  return {keys = keys, now = now, reached = tonumber(reached or '-1'), users = {}, dues = {}, watched_dues = {}, goals = {},
    ranked = {}, unranked = {}, steps = {}, words = {}}
end

-- Plans a town that was checked and has this revision. `due` is '' if the town is not due; `goal_at` is '' if it has not just
-- reached the goal. The blocks are for series_plan(). Returns the new revision.
local function plan_town(towns, first_key, revision, at, user, text, due, due_watched, coins, pizzas, ranked, goal_at,
  coins_block, pizzas_block)
  local key, revision_key, coins_key, pizzas_key = unpack(KEYS, first_key, first_key + 3)
  local count, steps = #towns.users + 1, towns.steps
  if ranked == '1' then -- a ruin has no history: it was removed together with its user
    steps[#steps + 1] = series_plan(coins_key, towns.now, coins, coins_block)
    steps[#steps + 1] = series_plan(pizzas_key, towns.now, pizzas, pizzas_block)
  end
  towns.users[count], towns.dues[count], towns.watched_dues[count] = user, due, due_watched
  if ranked == '1' then
    local words = towns.ranked
    words[#words + 1], words[#words + 2] = coins, user
  else
    towns.unranked[#towns.unranked + 1] = user
  end
  if goal_at ~= '' then towns.goals[user] = goal_at end
  if tonumber(at) > towns.reached then towns.reached, towns.reached_text = tonumber(at), at end
  return document_add_words(towns.words, key, revision_key, text, revision)
end

-- Writes the planned towns, with their places in the due set and on the leaderboard.
local function write_planned(towns)
  local updates, leaderboard, watched_key, goals, jobs, reached = unpack(towns.keys)
  local users, dues, words = towns.users, towns.dues, towns.words
  local watched_until = redis.call('ZMSCORE', watched_key, unpack(users))
  local due, idle = {}, {}
  for i = 1, #users do
    if dues[i] == '' then
      idle[#idle + 1] = users[i]
    else
      local watched = watched_until[i] and tonumber(watched_until[i]) > tonumber(towns.now)
      due[#due + 1], due[#due + 2] = watched and towns.watched_dues[i] or dues[i], users[i]
    end
  end
  for user, goal_at in pairs(towns.goals) do
    if redis.call('ZADD', goals, 'LT', 'CH', goal_at, user) == 1 then redis.call('ZADD', jobs, 'NX', towns.now, 'judge') end
  end
  for i = 1, #towns.steps do series_write(towns.steps[i]) end
  if towns.reached_text then words[#words + 1], words[#words + 2] = reached, towns.reached_text end
  redis.call('MSET', unpack(words))
  if #due > 0 then redis.call('ZADD', updates, unpack(due)) end
  if #idle > 0 then redis.call('ZREM', updates, unpack(idle)) end
  if #towns.ranked > 0 then redis.call('ZADD', leaderboard, unpack(towns.ranked)) end
  if #towns.unranked > 0 then redis.call('ZREM', leaderboard, unpack(towns.unranked)) end
end
