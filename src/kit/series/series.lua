-- Time series: recent points as they came, older ones as summaries.
-- KEYS and ARGV: those of the script that includes it
-- A script plans all its points first and writes last. A corrupt series then raises an error before anything is written:
--   local step = series_plan(KEYS[1], at_ms, value)
--   series_write(step)
-- Times and values are whole numbers from 0 to 2^53 - 1, and everything is exact. A point that is older than the newest
-- point counts at the time of the newest point. A call does a bounded amount of work.
--
-- A series is a hash. The field `newest` is the time of the newest point in ms. Every other field is a block. Its name
-- is its kind and the number of its span since 1970:
--   p<n>  the points of 5 minutes        kept until the newest point is an hour past these 5 minutes
--   m<n>  an hour in 5-minute summaries  kept until the newest point is a day past this hour
--   h<n>  a day in hourly summaries      kept until the newest point is a week past this day; then deleted
-- A block is a sequence of whole numbers. Each byte of a number has 7 of its bits, lowest bits first; the top bit says that
-- another byte follows. Points and summaries are newest first:
--   p     ms since the span began, value; then for each older point: 2 * ms from the newer point back to it, + 1 if its
--         value is higher; the difference of the two values
--   m, h  index of the summary in its span, count, min, max - min, last - min, sum / 2^42, sum % 2^42
local SERIES_VALUE_MAX = 9007199254740991
local SERIES_SPAN = 300000 -- of a block of points
local SERIES_POINTS_BYTES = 2048 -- a longer block of points becomes a summary at once
local char, byte, floor, format = string.char, string.byte, math.floor, string.format

local function series_corrupt(key, name) error(key .. ' is not a series: ' .. name .. ' is corrupt', 0) end

local function series_no_point() error('a point needs a time and a value, whole and from 0 to 2^53 - 1', 0) end

local function series_name(kind, at) return format('%s%d', kind.name, floor(at / kind.span)) end

local function series_number(text)
  local number = tonumber(text)
  return number and number >= 0 and number <= SERIES_VALUE_MAX and number % 1 == 0 and number or nil
end

local function series_pack(number)
  if number < 128 then return char(number) end
  if number < 16384 then return char(128 + number % 128, floor(number / 128)) end
  return char(128 + number % 128, 128 + floor(number / 128) % 128) .. series_pack(floor(number / 16384))
end

-- The number that begins at byte `from` of a block, and the byte where the next number begins.
local function series_unpack(key, name, block, from)
  local number, scale = 0, 1
  for at = from, from + 7 do
    local part = byte(block, at)
    if not part then break end
    if part < 128 then
      number = number + part * scale
      if number > SERIES_VALUE_MAX then break end
      return number, at + 1
    end
    number = number + (part - 128) * scale
    scale = scale * 128
  end
  series_corrupt(key, name)
end

-- A block of points with one more point, the newest.
local function series_add_point(key, name, block, offset, value)
  local packed = series_pack(offset) .. series_pack(value)
  if block == '' then return packed end
  local before, before_value, from
  before, from = series_unpack(key, name, block, 1)
  before_value, from = series_unpack(key, name, block, from)
  if before > offset then series_corrupt(key, name) end
  local higher = before_value > value and 1 or 0
  return packed .. series_pack(2 * (offset - before) + higher) .. series_pack(math.abs(value - before_value)) ..
    string.sub(block, from)
end

-- The functions below make functions that few points need: most points only extend a block. Making these functions for each
-- point would take microseconds.

-- Functions that read and make summaries.
local function series_summaries(key, blocks)
  local SUM_BASE = 2 ^ 42 -- a double could not hold a sum, so a sum has two parts

  local function read(name, from) return series_unpack(key, name, blocks[name], from) end

  -- The summary that begins at byte `from` of a block, its index, and the byte where the next summary begins.
  local function read_summary(name, from)
    local index, count, min, above, last, high, low
    index, from = read(name, from)
    count, from = read(name, from)
    min, from = read(name, from)
    above, from = read(name, from)
    last, from = read(name, from)
    high, from = read(name, from)
    low, from = read(name, from)
    if count == 0 or min + above > SERIES_VALUE_MAX or last > above then series_corrupt(key, name) end
    return {count = count, min = min, max = min + above, last = min + last, high = high, low = low}, index, from
  end

  -- Adds an older summary to a later one.
  local function merge(later, older)
    later.count = later.count + older.count
    later.min = math.min(later.min, older.min)
    later.max = math.max(later.max, older.max)
    later.high = later.high + older.high
    later.low = later.low + older.low
    if later.low >= SUM_BASE then later.high, later.low = later.high + 1, later.low - SUM_BASE end
  end

  -- A block of points as one summary.
  local function fold_points(name)
    local _, from = read(name, 1)
    local point, back, by
    point, from = read(name, from)
    local count, min, max, last, high, low = 0, point, point, point, 0, 0
    while true do
      local point_low = point % SUM_BASE
      count, min, max = count + 1, math.min(min, point), math.max(max, point)
      high, low = high + (point - point_low) / SUM_BASE, low + point_low
      if low >= SUM_BASE then high, low = high + 1, low - SUM_BASE end
      if from > #blocks[name] then break end
      back, from = read(name, from)
      by, from = read(name, from)
      point = back % 2 == 1 and point + by or point - by
      if point < 0 or point > SERIES_VALUE_MAX then series_corrupt(key, name) end
    end
    return {count = count, min = min, max = max, last = last, high = high, low = low}
  end

  -- A block of summaries as one summary.
  local function fold_summaries(name)
    local all, _, from = read_summary(name, 1)
    while from <= #blocks[name] do
      local older
      older, _, from = read_summary(name, from)
      merge(all, older)
    end
    return all
  end

  return {read = read_summary, merge = merge, fold_points = fold_points, fold_summaries = fold_summaries}
end

local function series_pack_summary(index, summary)
  return series_pack(index) .. series_pack(summary.count) .. series_pack(summary.min) ..
    series_pack(summary.max - summary.min) .. series_pack(summary.last - summary.min) .. series_pack(summary.high) ..
    series_pack(summary.low)
end

-- Functions that change the blocks of a plan: `load` reads the blocks that it does not have yet (a missing block is ''),
-- `add` adds a summary, and `age` removes blocks that have become too old.
local function series_changes(key, blocks, changed, summaries)
  local function load(names)
    local unknown = {}
    for _, name in ipairs(names) do
      if not blocks[name] then unknown[#unknown + 1] = name end
    end
    if #unknown == 0 then return end
    local found = redis.call('HMGET', key, unpack(unknown))
    for i, name in ipairs(unknown) do blocks[name] = found[i] or '' end
  end

  -- Adds a summary to the block of its span, after the newer summaries. Merges it with a summary that has the same index.
  local function add(kind, at, summary)
    local name = series_name(kind, at)
    load({name})
    local block = blocks[name]
    local index = floor(at % kind.span / kind.width)
    local from, to = 1, 1
    while from <= #block and series_unpack(key, name, block, from) >= index do
      local there, its_index
      there, its_index, to = summaries.read(name, from)
      if its_index == index then
        summaries.merge(summary, there)
        break
      end
      from = to
    end
    blocks[name] = string.sub(block, 1, from - 1) .. series_pack_summary(index, summary) .. string.sub(block, to)
    changed[name] = true
  end

  -- The newest point was at `newest` and will be at `at`. `fold` is called before each removal, with the name of the block and
  -- the time when its span began.
  local function age(kind, newest, at, fold)
    local first = math.max(floor((newest - kind.kept) / kind.span), 0)
    local last = math.min(floor(newest / kind.span), floor((at - kind.kept) / kind.span) - 1)
    if last < first then return end
    local names = {}
    for number = first, last do names[#names + 1] = series_name(kind, number * kind.span) end
    load(names)
    for i, name in ipairs(names) do
      if blocks[name] ~= '' then
        fold(name, (first + i - 1) * kind.span)
        blocks[name], changed[name] = '', true
      end
    end
  end

  return {load = load, add = add, age = age}
end

-- Plans a point that does more than extend a block: other blocks become too old, or a block becomes a summary.
local function series_plan_more(key, newest, at, value, name, block)
  local POINTS = {name = 'p', span = SERIES_SPAN, kept = 3600000}
  local MINUTES = {name = 'm', span = 3600000, kept = 86400000, width = 300000}
  local HOURS = {name = 'h', span = 86400000, kept = 604800000, width = 3600000}
  local blocks, changed = {[name] = block}, {}
  local summaries = series_summaries(key, blocks)
  local changes = series_changes(key, blocks, changed, summaries)
  if at < newest then
    at, name = newest, series_name(POINTS, newest)
    changes.load({name})
  elseif name ~= series_name(POINTS, newest) then -- a block can become too old only when a new span of points begins
    changes.age(POINTS, newest, at, function(old, began) changes.add(MINUTES, began, summaries.fold_points(old)) end)
    changes.age(MINUTES, newest, at, function(old, began) changes.add(HOURS, began, summaries.fold_summaries(old)) end)
    changes.age(HOURS, newest, at, function() end)
  end
  if #blocks[name] > SERIES_POINTS_BYTES then
    changes.add(MINUTES, at, summaries.fold_points(name))
    blocks[name] = ''
  end
  blocks[name], changed[name] = series_add_point(key, name, blocks[name], at % SERIES_SPAN, value), true

  local step, gone = {key, 'newest', format('%d', at)}, {}
  for each in pairs(changed) do
    if blocks[each] == '' then
      gone[#gone + 1] = each
    else
      step[#step + 1], step[#step + 2] = each, blocks[each]
    end
  end
  step.gone = gone
  return step
end

-- The moment of the newest plan: many points of a script have the same moment.
local series_at, series_moment

local function series_moment_of(at)
  if at ~= series_at then
    local ms = series_number(at)
    if not ms then series_no_point() end
    local span = floor(ms / SERIES_SPAN)
    series_at, series_moment = at, {ms = ms, text = format('%d', ms), span = span, name = format('p%d', span)}
  end
  return series_moment
end

-- Plans the changes for a new point. Writes nothing. `block_with_point` may be what add_point() in blocks.cpp has returned,
-- if the series has not changed since; nil or '' if it has returned nothing.
local function series_plan(key, at, value, block_with_point)
  local now = series_moment_of(at)
  if block_with_point and block_with_point ~= '' then return {key, 'newest', now.text, now.name, block_with_point} end
  value = series_number(value)
  if not value then series_no_point() end
  local found = redis.pcall('HMGET', key, 'newest', now.name)
  if found.err then error(key .. ' is not a series: ' .. found.err, 0) end
  local newest, block = series_number(found[1] or now.ms), found[2] or ''
  if not newest then series_corrupt(key, 'newest') end
  if now.ms < newest or floor(newest / SERIES_SPAN) ~= now.span or #block > SERIES_POINTS_BYTES then
    return series_plan_more(key, newest, now.ms, value, now.name, block)
  end
  return {key, 'newest', now.text, now.name, series_add_point(key, now.name, block, now.ms % SERIES_SPAN, value)}
end

-- Writes the changes that series_plan() has planned. The series must not have changed in between.
local function series_write(step)
  redis.call('HSET', unpack(step))
  if step.gone and #step.gone > 0 then redis.call('HDEL', step[1], unpack(step.gone)) end
end
