-- include kit/events/outbox.lua
-- Gives everything that a player has to a pseudonym, and drops the player's name. The event that says so also has the last id of
-- the stream of items: what comes after the two under the old id belongs to a fresh player.
-- KEYS: ajobus, ajobus-inventory, lb, bomb, bombs; of bombs-schedule: due, failures, dead, reasons; name, ajobus:imported; then pairs:
--       a key of the player, the same key of the pseudonym
-- ARGV: player, pseudonym
-- Returns the id of the event; false if the pseudonym has something already: then it has run before
local points, items, lb, bomb, bombs, schedule, failures, dead, reasons, name, imported = unpack(KEYS, 1, 11)
local player, pseudonym = unpack(ARGV)

check_outboxes(points, items)
if redis.call('ZSCORE', lb, pseudonym) then return false end
for i = 13, #KEYS, 2 do
  if redis.call('EXISTS', KEYS[i]) == 1 then return false end
end
local last = '0-0'
local info = redis.call('XINFO', 'STREAM', items)
for i = 1, #info, 2 do
  if info[i] == 'last-generated-id' then last = info[i + 1] end
end
local event = append_event(points, 'version', '1', 'type', 'state', 'user_id', pseudonym, 'guild_id', '0', 'amount', '0',
  '.forgotten', last)
for _, set in ipairs({lb, bombs, schedule, dead}) do
  local score = redis.call('ZSCORE', set, player)
  if score then
    redis.call('ZADD', set, score, pseudonym)
    redis.call('ZREM', set, player)
  end
end
for _, hash in ipairs({failures, reasons}) do
  local value = redis.call('HGET', hash, player)
  if value then
    redis.call('HSET', hash, pseudonym, value)
    redis.call('HDEL', hash, player)
  end
end
if redis.call('GET', bomb) == player then redis.call('SET', bomb, pseudonym, 'KEEPTTL') end
redis.call('DEL', name)
if redis.call('SREM', imported, player) == 1 then redis.call('SADD', imported, pseudonym) end
for i = 12, #KEYS, 2 do
  if redis.call('EXISTS', KEYS[i]) == 1 and redis.call('EXISTS', KEYS[i + 1]) == 0 then redis.call('RENAME', KEYS[i], KEYS[i + 1]) end
end
return event
