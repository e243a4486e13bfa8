-- include stores/redis/write_again.lua
-- include kit/events/outbox.lua
-- include foreign.lua
-- Included by the scripts that move points. An account is read into memory, settled to now, changed, and saved at the
-- end. So a script can still refuse after any number of changes. The last argument is always now ms.
--
-- In Redis an account is its balance and, only if it has more than a balance, a hash and two sorted sets:
--   more      l:<expires> points of a lot that counts; w:<effective>:<expires> points of a lot that waits;
--             h:<order> "amount expires parts" of an open hold; t:<order> "amount to sent_at parts remark" of a
--             transfer under way; and the sums held, pending (under way) and waiting
--   expiring  <expires> of the lots that count, by time
--   due       w:... and h:... by the time when they change by themselves
-- Parts are "<expires>:<points>,...". Expires 0 means never; points outside of lots have it.
--
-- Two things make a script fail before it writes anything. The caller puts them right and calls again:
--   STALETYPE <type>  the caller's copy of the type is older than the end that the keys have by now
--   UNSETTLED <n> <uid> <type> <domain> ...  so much is due that one script would block Redis: settle_account.lua does it in
--                   parts. These are all n accounts of the script that have something due
local points_max = 9007199254740991
local now_ms = ARGV[#ARGV]
local now = tonumber(now_ms)
local day_ms = 86400000
local steps_left = 100  -- of settling, for all accounts of this script
local opened = {}       -- these accounts
local lots_at_once_max = 256
local words_at_once = 512

local function text(number) return string.format('%.0f', number) end

-- KEYS from k on: schedule, open holds, balance, more, expiring, due, revision of the type's end.
-- ARGV from v on: uid, type, domain, keys expire at ms (0: never), revision of the type's end that the caller knows, number
-- of lots from which on new lots are merged.
local function open_account(outbox, k, v)
  check_outboxes(KEYS[outbox])
  local schedule, open_holds, score, more, expiring, due, revision = unpack(KEYS, k, k + 6)
  local uid, type, domain, ends, known_revision, lots_max = unpack(ARGV, v, v + 5)
  local found = redis.call('MGET', score, revision)
  if found[2] and tonumber(found[2]) > tonumber(known_revision) then error('STALETYPE ' .. type, 0) end
  local a = {
    outbox = KEYS[outbox], schedule = schedule, open_holds = open_holds, score = score, more = more,
    expiring = expiring, due = due,
    uid = uid, type = type, domain = domain, ends = ends,
    held = 0, pending = 0, waiting = 0, holds = 0, stored = {held = 0, pending = 0, waiting = 0},
    fields = {}, timers = {}, flows = {},  -- what save() writes; false: remove
    -- The lots that count, read from the front as far as needed: points by expiry, and their order.
    lots = {}, queue = {}, first = 1, read = 0, all_read = true, changed = {}, lots_at_once = 8,
    lots_max = tonumber(lots_max), stored_lots = 0, new_lots = 0,  -- new_lots: made minus used up
    unread = {},  -- points for lots that may be in the part that is not read yet
    made = {},    -- expiries that are not in Redis yet
    due_now = {}, next_due = 1,
  }
  a.balance = tonumber(balance_under(a.score, found[1]) or '0')
  if redis.call('EXISTS', a.more) == 1 then
    local sums = redis.call('HMGET', a.more, 'held', 'pending', 'waiting')
    a.held, a.pending, a.waiting = tonumber(sums[1] or 0), tonumber(sums[2] or 0), tonumber(sums[3] or 0)
    a.stored = {held = a.held, pending = a.pending, waiting = a.waiting}
    -- One more than the script may settle, so that it can tell whether it has settled everything.
    a.due_now = redis.call('ZRANGEBYSCORE', a.due, '-inf', text(now), 'WITHSCORES', 'LIMIT', 0, steps_left + 1)
    a.all_read = false
    a.stored_lots = nil
    a.had_more = true
  end
  opened[#opened + 1] = a
  return a
end

-- All points that the account has or will have. The balance may grow to this.
local function total(a) return a.balance + a.held + a.pending + a.waiting end

local function field(a, name)
  if a.fields[name] ~= nil then return a.fields[name] end
  return redis.call('HGET', a.more, name)
end

-- Appends a flow. Returns the order's record.
local function flow(a, status, op, order, amount, old, at, remark, detail)
  if old ~= a.balance then a.balance_changed = true end
  local record = table.concat({status, op, a.type, a.domain, amount, text(old), text(a.balance), at}, ' ')
  a.flows[#a.flows + 1] = {table.concat({record, a.uid, order, remark}, ' '), detail}
  if detail then record = record .. ' ' .. detail end
  return record
end

local function enqueue(a, expires)
  local at = #a.queue + 1
  while at > a.first and a.queue[at - 1] > expires do at = at - 1 end
  table.insert(a.queue, at, expires)
end

local function read_lots(a)
  local found = redis.call('ZRANGE', a.expiring, a.read, a.read + a.lots_at_once - 1)
  a.read = a.read + #found
  a.all_read = #found < a.lots_at_once
  a.lots_at_once = math.min(2 * a.lots_at_once, lots_at_once_max)
  local names = {}
  for i, member in ipairs(found) do names[i] = 'l:' .. member end
  local points = #names > 0 and redis.call('HMGET', a.more, unpack(names)) or {}
  for i, member in ipairs(found) do
    local expires = tonumber(member)
    a.lots[expires] = tonumber(points[i]) + (a.unread[expires] or 0)
    if a.unread[expires] then a.changed[expires] = true end
    a.unread[expires] = nil
    a.queue[#a.queue + 1] = expires
  end
  local last = a.queue[#a.queue]
  for expires, points in pairs(a.unread) do
    if a.all_read or expires < last then
      a.unread[expires] = nil
      a.lots[expires] = points
      a.changed[expires] = true
      enqueue(a, expires)
    end
  end
end

-- The expiry of the lot that expires first; nil without lots.
local function first_lot(a)
  while true do
    local expires = a.queue[a.first]
    if expires then
      if a.lots[expires] > 0 then return expires end
      a.first = a.first + 1
    elseif a.all_read then
      return nil
    else
      read_lots(a)
    end
  end
end

local function has_lot(a, expires)
  if a.lots[expires] then return a.lots[expires] > 0 end
  if a.unread[expires] then return true end
  local last = a.queue[#a.queue]
  if a.all_read or (last and expires < last) then return false end
  return redis.call('ZSCORE', a.expiring, text(expires)) ~= false
end

-- Adds points that expire then. If the account has too many lots for another one, they join the lot that expires at the end
-- of that day, or beyond twice the limit, of those 365 days. So the number of lots has a bound, whatever their expiries. Points
-- that come back too late must not live on. Returns when the points expire.
local function give(a, expires, points)
  a.balance = a.balance + points
  if expires == 0 then return expires end
  local known = has_lot(a, expires)
  if not known then
    a.stored_lots = a.stored_lots or redis.call('ZCARD', a.expiring)
    local count = a.stored_lots + a.new_lots
    if expires > now and count >= a.lots_max then
      local unit_ms = count < 2 * a.lots_max and day_ms or 365 * day_ms
      expires = math.ceil(expires / unit_ms) * unit_ms
      known = has_lot(a, expires)
    end
    if not known then
      a.new_lots = a.new_lots + 1
      a.made[expires] = true
      a.reschedule = true
    end
  end
  local last = a.queue[#a.queue]
  if a.lots[expires] then
    if a.lots[expires] == 0 then enqueue(a, expires) end
    a.lots[expires] = a.lots[expires] + points
    a.changed[expires] = true
  elseif a.all_read or (last and expires < last) then
    a.lots[expires] = points
    a.changed[expires] = true
    enqueue(a, expires)
  else
    a.unread[expires] = (a.unread[expires] or 0) + points
  end
  return expires
end

local function use_lot(a, expires, points)
  a.lots[expires] = a.lots[expires] - points
  a.changed[expires] = true
  if a.lots[expires] == 0 then a.new_lots = a.new_lots - 1 end
end

-- Takes points out of the balance; the points that expire first go first. Returns the parts.
local function take(a, points)
  local parts = {}
  a.balance = a.balance - points
  while points > 0 do
    local expires = first_lot(a)
    local part = points
    if expires then
      part = math.min(points, a.lots[expires])
      use_lot(a, expires, part)
    end
    parts[#parts + 1] = text(expires or 0) .. ':' .. text(part)
    points = points - part
  end
  return table.concat(parts, ',')
end

-- Gives the parts, except for their first `skip` points. Returns the parts as they are now, and whether any part was merged.
local function give_parts(a, parts, skip)
  local given, merged = {}, false
  for expires, points in string.gmatch(parts, '(%d+):(%d+)') do
    local part = math.max(tonumber(points) - skip, 0)
    skip = skip - (tonumber(points) - part)
    if part > 0 then
      local lot = give(a, tonumber(expires), part)
      given[#given + 1] = text(lot) .. ':' .. text(part)
      merged = merged or lot ~= tonumber(expires)
    end
  end
  return table.concat(given, ','), merged
end

-- What a flow adds to its detail if the points joined another lot than the one that was asked for.
local function merged_into(expires, lot)
  return tonumber(expires) == lot and '' or ' lot=' .. text(lot)
end

local function words_of(line)
  local words = {}
  for word in string.gmatch(line, '%S+') do words[#words + 1] = word end
  return words
end

-- Ends a hold. `captured` of its points are gone, and the points that expire first go first. The rest comes back.
local function end_hold(a, order, captured, at)
  local name = 'h:' .. order
  local amount, parts = string.match(field(a, name), '^(%d+) %d+ (%S+)$')
  amount = tonumber(amount)
  a.fields[name], a.timers[name] = false, false
  a.held = a.held - amount
  a.holds = a.holds - 1
  if captured > 0 then flow(a, 'ok', 'capture', order, text(captured), a.balance, at, '') end
  if captured == amount then return end
  local old = a.balance
  local given, merged = give_parts(a, parts, captured)
  flow(a, 'ok', 'release', order, text(amount - captured), old, at, '', merged and 'parts=' .. given or nil)
end

local function mature(a, name, at)
  local effective, expires = string.match(name, '^w:(%d+):(%d+)$')
  local points = field(a, name)
  local old = a.balance
  a.fields[name], a.timers[name] = false, false
  a.waiting = a.waiting - tonumber(points)
  local detail = 'exp=' .. expires .. merged_into(expires, give(a, tonumber(expires), tonumber(points)))
  flow(a, 'ok', 'mature', 'mature:' .. effective .. ':' .. expires, points, old, at, '', detail)
end

local function expire(a, expires, at)
  -- Lots are part of the balance. If somebody wrote a lot that is not, it must not take more than the balance has.
  local old, points = a.balance, math.min(a.lots[expires], a.balance)
  use_lot(a, expires, a.lots[expires])
  a.balance = a.balance - points
  flow(a, 'ok', 'expire', 'expire:' .. text(expires), text(points), old, text(at), '')
end

-- Settles what is due, in the order of the due times. Each step is a flow, dated at its due time. Returns whether everything
-- is settled; if not, the rest is for another script.
local function settle_some(a)
  while true do
    local name, name_at, lot = a.due_now[a.next_due], tonumber(a.due_now[a.next_due + 1]), first_lot(a)
    local name_first = name and (not lot or name_at <= lot)
    if not name_first and not (lot and lot <= now) then return true end
    -- Lots that came back too late go together with the step that brought them: another script would date them earlier.
    if steps_left <= 0 and (name_first or lot >= (a.settled_at or 0)) then return false end
    steps_left = steps_left - 1
    a.was_due = true
    if name_first then
      a.next_due = a.next_due + 2
      a.settled_at = name_at
      if string.sub(name, 1, 1) == 'h' then
        end_hold(a, string.sub(name, 3), 0, text(name_at))
      else
        mature(a, name, text(name_at))
      end
    else
      -- A lot that comes back from a hold may have expired long ago.
      expire(a, lot, math.max(lot, a.settled_at or lot))
    end
  end
end

local function is_due(a)
  local lot = first_lot(a)
  return a.was_due or a.due_now[a.next_due] or (lot and lot <= now)
end

local function settle(a)
  if settle_some(a) then return end
  -- What was settled so far is not saved, so it is due as well.
  local due = {}
  for _, other in ipairs(opened) do
    if is_due(other) then due[#due + 1] = table.concat({other.uid, other.type, other.domain}, ' ') end
  end
  error('UNSETTLED ' .. text(#due) .. ' ' .. table.concat(due, ' '), 0)
end

-- Settles what a script has just given back.
local function settle_returned(a)
  a.settled_at = now
  settle_some(a)
end

local function write_sum(a, name, points)
  if points == a.stored[name] then return end
  if points > 0 then
    redis.call('HSET', a.more, name, text(points))
  else
    redis.call('HDEL', a.more, name)
  end
end

-- Calls a command that takes any number of words after its key.
local function call_in_portions(command, key, words)
  for i = 1, #words, words_at_once do
    redis.call(command, key, unpack(words, i, math.min(i + words_at_once - 1, #words)))
  end
end

local function write_lots(a)
  if next(a.timers) ~= nil then a.reschedule = true end
  local fields, expiring, gone_fields, gone = {}, {}, {}, {}
  for expires in pairs(a.changed) do
    local member, points = text(expires), a.lots[expires]
    if points > 0 then
      fields[#fields + 1] = 'l:' .. member
      fields[#fields + 1] = text(points)
    else
      gone_fields[#gone_fields + 1] = 'l:' .. member
      gone[#gone + 1] = member
      a.reschedule = true
    end
  end
  for expires, points in pairs(a.unread) do
    redis.call('HINCRBY', a.more, 'l:' .. text(expires), text(points))
  end
  for expires in pairs(a.made) do
    if a.lots[expires] ~= 0 then
      expiring[#expiring + 1] = text(expires)
      expiring[#expiring + 1] = text(expires)
    end
  end
  call_in_portions('HSET', a.more, fields)
  call_in_portions('ZADD', a.expiring, expiring)
  call_in_portions('HDEL', a.more, gone_fields)
  call_in_portions('ZREM', a.expiring, gone)
end

-- Writes when the account next changes by itself to the schedule. Returns that time; '' if never.
local function write_schedule(a)
  local lot, timer = redis.call('ZRANGE', a.expiring, 0, 0)[1], redis.call('ZRANGE', a.due, 0, 0, 'WITHSCORES')[2]
  local next = timer
  if lot and (not timer or tonumber(lot) < tonumber(timer)) then next = lot end
  local member = table.concat({a.uid, a.type, a.domain}, ' ')
  if next then
    redis.call('ZADD', a.schedule, next, member)
    return next
  end
  redis.call('ZREM', a.schedule, member)
  return ''
end

-- Writes all changes, the flows first. If the account's next due time may be new, returns it; otherwise ''.
local function save(a)
  for _, entry in ipairs(a.flows) do
    if entry[2] then
      append_event(a.outbox, 'entry', entry[1], 'more', entry[2])
    else
      append_event(a.outbox, 'entry', entry[1])
    end
  end
  -- So the key of a balance exists if and only if a flow changed the balance. A rebuild can tell that, too.
  if a.balance_changed then
    if a.ends == '0' then
      redis.call('SET', a.score, text(a.balance))
    else
      redis.call('SET', a.score, text(a.balance), 'PXAT', a.ends)
    end
  end
  if not a.had_more and next(a.fields) == nil and next(a.changed) == nil and next(a.unread) == nil then return '' end
  for name, value in pairs(a.fields) do
    if value then redis.call('HSET', a.more, name, value) else redis.call('HDEL', a.more, name) end
  end
  for name, at in pairs(a.timers) do
    if at then redis.call('ZADD', a.due, at, name) else redis.call('ZREM', a.due, name) end
  end
  write_lots(a)
  write_sum(a, 'held', a.held)
  write_sum(a, 'pending', a.pending)
  write_sum(a, 'waiting', a.waiting)
  if a.holds ~= 0 then redis.call('HINCRBY', a.open_holds, a.type, text(a.holds)) end
  if a.ends ~= '0' then
    for _, key in ipairs({a.more, a.expiring, a.due}) do redis.call('PEXPIREAT', key, a.ends) end
  end
  return a.reschedule and write_schedule(a) or ''
end

-- Keeps an order's record until `ttl` ms after the moment `till` (both are text); with till 0, forever.
local function remember(key, record, till, ttl)
  if till == '0' then
    redis.call('SET', key, record)
  else
    redis.call('SET', key, record, 'PX', text(tonumber(till) - now + tonumber(ttl)))
  end
end

-- The record of an order that was decided before.
local function decided(key)
  local record = text_under(key)
  if record then write_again(key) end
  return record
end
