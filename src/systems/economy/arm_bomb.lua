-- include kit/events/outbox.lua
-- Makes a planted bomb that is due the pending bomb, and replaces a pending bomb that was due earlier. The scheduler
-- calls this script for a member of bombs-schedule. Calling it again changes nothing.
-- KEYS: ajobus, bombs, bombs-schedule, bomb, bomb-due    ARGV: player, now ms
-- Returns 1 if the player's bomb is now pending; 0 if the player has no planted bomb, or if a later bomb is pending;
-- otherwise, as text, the ms when the bomb is due
local points, bombs, schedule, bomb, bomb_due = unpack(KEYS)
local player, now = unpack(ARGV)

local due = redis.call('ZSCORE', bombs, player)
if not due then
  redis.call('ZREM', schedule, player)
  return 0
end
if tonumber(due) > tonumber(now) then
  redis.call('ZADD', schedule, due, player)
  return due
end
-- A bomb that comes late, because its server died, must not replace a bomb that was due later.
local late = redis.call('EXISTS', bomb) == 1 and tonumber(redis.call('GET', bomb_due) or '0') > tonumber(due)
-- The state, as in realm.lua.
local state = late and {'.bombs', ''} or {'.bombs', '', '.bomb', player .. ' ' .. due}
append_event(points, 'version', '1', 'type', 'state', 'user_id', player, 'guild_id', '0', 'amount', '0', unpack(state))
redis.call('ZREM', bombs, player)
redis.call('ZREM', schedule, player)
if late then return 0 end
redis.call('SET', bomb, player)
redis.call('SET', bomb_due, due)
return 1
