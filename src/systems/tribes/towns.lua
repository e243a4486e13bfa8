-- Every script that writes towns includes this file, after documents.lua, series.lua and kept.lua. All these scripts have:
-- KEYS: outbox; for each town: reports; then revision of the world, updates, leaderboard, watched, goals, jobs, moment that
-- towns have reached; for each town: text, revision, coins, pizzas; those of the script; [key of the Idempotency-Key]
-- ARGV: revision of the world, now ms, fingerprint ('' without an Idempotency-Key), answer, number of towns, game ms of the
-- towns; for each town:
-- user, revision ('absent' for a new town), text, due ms ('' if it is not due), due ms if somebody watches, coins, pizzas, 1 if
-- it is on the leaderboard, game ms at which it reached the goal ('' if it did not), report ('' for none); those of the
-- script; the fields of the event
-- Returns {0, new revision of each town}; {1, answer} with the first answer if the Idempotency-Key was used before; {2} if it
-- was used for another request; {3} if the world has changed; {4} if a town has changed. After {1} to {4}, nothing was written.
local WORLD_REVISION, NOW, FINGERPRINT, ANSWER, TOWNS, AT = unpack(ARGV, 1, 6)
local OUTBOX = KEYS[1]
TOWNS = tonumber(TOWNS)
local WORLD, UPDATES, LEADERBOARD, WATCHED, GOALS, JOBS, REACHED = unpack(KEYS, 2 + TOWNS, 8 + TOWNS)
local KEYS_OF_SCRIPT = 9 + 5 * TOWNS -- the first one
local ARGS_OF_SCRIPT = 7 + 10 * TOWNS
local kept_key = FINGERPRINT ~= '' and KEYS[#KEYS] or nil
local REPORTS_MAX = 200
local REPORTS_KEPT_MS = 2592000000

-- The plans of all towns. If they must not be written: nil, and the whole reply.
local function plan_towns()
  local reply = kept_key and kept_reply(kept_key, FINGERPRINT)
  if reply then return nil, reply end
  local first_keys, revision_keys = {}, {WORLD, REACHED}
  for i = 1, TOWNS do
    first_keys[i] = 5 + TOWNS + 4 * i
    revision_keys[2 + i] = KEYS[first_keys[i] + 1]
  end
  local found = redis.call('MGET', unpack(revision_keys))
  if (found[1] or '0') ~= WORLD_REVISION then return nil, {3} end
  local plans = {reached = tonumber(found[2] or '-1')}
  for i = 1, TOWNS do
    local key, revision_key, coins_key, pizzas_key = unpack(KEYS, first_keys[i], first_keys[i] + 3)
    local user, expected, text, due, due_watched, coins, pizzas, ranked, goal_at, report = unpack(ARGV, 10 * i - 3, 10 * i + 6)
    local revision = document_revision_from(key, found[2 + i])
    local same = expected == revision
    if expected == 'absent' then same = redis.call('STRLEN', key) == 0 end
    if not same then return nil, {4} end
    plans[i] = {
      user = user, key = key, revision_key = revision_key, revision = revision, text = text, due = due,
      due_watched = due_watched, coins = coins, ranked = ranked, goal_at = goal_at, report = report, reports = KEYS[1 + i],
      steps = {series_plan(coins_key, NOW, coins), series_plan(pizzas_key, NOW, pizzas)},
    }
  end
  return plans
end

-- Writes what belongs to a town, except its document.
local function write_town(town)
  for _, step in ipairs(town.steps) do series_write(step) end
  if town.ranked == '1' then
    redis.call('ZADD', LEADERBOARD, town.coins, town.user)
  else
    redis.call('ZREM', LEADERBOARD, town.user)
  end
  if town.due == '' then
    redis.call('ZREM', UPDATES, town.user)
  else
    local watched_until = redis.call('ZSCORE', WATCHED, town.user)
    local watched = watched_until and tonumber(watched_until) > tonumber(NOW)
    redis.call('ZADD', UPDATES, watched and town.due_watched or town.due, town.user)
  end
  if town.goal_at ~= '' and redis.call('ZADD', GOALS, 'LT', 'CH', town.goal_at, town.user) == 1 then
    redis.call('ZADD', JOBS, 'NX', NOW, 'judge')
  end
  if town.report ~= '' then
    redis.call('XADD', town.reports, 'MAXLEN', REPORTS_MAX, '*', 'report', town.report)
    redis.call('PEXPIRE', town.reports, REPORTS_KEPT_MS)
  end
end

-- Writes the planned towns and the event, and returns the reply. The fields of the event begin at `event_args` of ARGV.
local function write_towns(towns, event_args)
  local reply, words = {0}, {}
  for i, town in ipairs(towns) do
    reply[1 + i] = document_add_words(words, town.key, town.revision_key, town.text, town.revision)
    write_town(town)
  end
  if tonumber(AT) > towns.reached then words[#words + 1], words[#words + 2] = REACHED, AT end
  redis.call('MSET', unpack(words))
  if event_args <= #ARGV then redis.call('XADD', OUTBOX, '*', unpack(ARGV, event_args)) end
  if kept_key then keep_answer(kept_key, FINGERPRINT, ANSWER) end
  return reply
end
