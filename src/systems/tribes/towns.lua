-- The scripts that write towns together, all or none, include this file after outbox.lua, documents.lua, series.lua, kept.lua and
-- town_writes.lua. All these scripts have:
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
local WORLD, REACHED = KEYS[2 + TOWNS], KEYS[8 + TOWNS]
local KEYS_OF_SCRIPT = 9 + 5 * TOWNS -- the first one
local ARGS_OF_SCRIPT = 7 + 10 * TOWNS
local kept_key = FINGERPRINT ~= '' and KEYS[#KEYS] or nil
local REPORTS_MAX = 200
local ANSWER_KEPT_S = 86400
local REPORTS_KEPT_MS = 2592000000

-- The planned towns, with `revisions` for the reply. If they must not be written: nil, and the whole reply.
local function plan_towns()
  local reply = kept_key and kept_reply(kept_key, FINGERPRINT)
  if reply then return nil, reply end
  local revision_keys = {WORLD, REACHED}
  for i = 1, TOWNS do revision_keys[2 + i] = KEYS[6 + TOWNS + 4 * i] end
  local found = redis.call('MGET', unpack(revision_keys))
  if (found[1] or '0') ~= WORLD_REVISION then return nil, {3} end
  local towns = begin_towns({unpack(KEYS, 3 + TOWNS, 8 + TOWNS)}, NOW, found[2])
  towns.revisions = {}
  check_type('XLEN', OUTBOX)
  check_outboxes(OUTBOX)
  for i = 1, TOWNS do
    if ARGV[10 * i + 6] ~= '' then check_type('XLEN', KEYS[1 + i]) end
    local first_key = 5 + TOWNS + 4 * i
    local user, expected, text, due, due_watched, coins, pizzas, ranked, goal_at = unpack(ARGV, 10 * i - 3, 10 * i + 5)
    local revision = document_revision_from(KEYS[first_key], found[2 + i])
    local same = expected == revision
    if expected == 'absent' then same = redis.call('STRLEN', KEYS[first_key]) == 0 end
    if not same then return nil, {4} end
    towns.revisions[i] =
      plan_town(towns, first_key, revision, AT, user, text, due, due_watched, coins, pizzas, ranked, goal_at)
  end
  return towns
end

-- Writes the planned towns and the event, and returns the reply. The fields of the event begin at `event_args` of ARGV.
local function write_towns(towns, event_args)
  write_planned(towns)
  for i = 1, TOWNS do
    local report = ARGV[10 * i + 6]
    if report ~= '' then
      redis.call('XADD', KEYS[1 + i], 'MAXLEN', REPORTS_MAX, '*', 'report', report)
      redis.call('PEXPIRE', KEYS[1 + i], REPORTS_KEPT_MS)
    end
  end
  if event_args <= #ARGV then append_event(OUTBOX, unpack(ARGV, event_args)) end
  if kept_key then keep_answer(kept_key, FINGERPRINT, ANSWER, ANSWER_KEPT_S) end
  return {0, unpack(towns.revisions)}
end
