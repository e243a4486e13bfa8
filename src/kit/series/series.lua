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
--   p<n>  the points of 5 minutes        kept until these 5 minutes ended an hour before the newest point
--   m<n>  an hour in 5-minute summaries  kept until this hour ended a day before the newest point
--   h<n>  a day in hourly summaries      kept until this day ended a week before the newest point; then deleted
-- A block is a sequence of whole numbers. Each byte of a number has 7 of its bits, lowest bits first; the top bit says that
-- another byte follows. Points and summaries are newest first:
--   p     ms since the span began, value; then for each older point: 2 * ms from the newer point back to it, + 1 if its
--         value is higher; the difference of the two values
--   m, h  index of the summary in its span, count, min, max - min, last - min, sum / 2^42, sum % 2^42
local SERIES_VALUE_MAX = 9007199254740991
local SERIES_SUM_BASE = 2 ^ 42 -- a double could not hold a sum, so a sum has two parts
local SERIES_POINTS_BYTES = 2048 -- a longer block of points becomes a summary at once
local SERIES_POINTS = {name = 'p', span = 300000, kept = 3600000}
local SERIES_MINUTES = {name = 'm', span = 3600000, kept = 86400000, width = 300000}
local SERIES_HOURS = {name = 'h', span = 86400000, kept = 604800000, width = 3600000}
local char, byte, floor = string.char, string.byte, math.floor

local function series_corrupt(step, name) error(step.key .. ' is not a series: ' .. name .. ' is corrupt', 0) end

local function series_pack(number)
  if number < 128 then return char(number) end
  if number < 16384 then return char(128 + number % 128, floor(number / 128)) end
  return char(128 + number % 128, 128 + floor(number / 128) % 128) .. series_pack(floor(number / 16384))
end

-- The number that begins at byte `from` of a block, and the byte where the next number begins.
local function series_unpack(step, name, from)
  local block = step.blocks[name]
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
  series_corrupt(step, name)
end

local function series_pack_summary(index, summary)
  return series_pack(index) .. series_pack(summary.count) .. series_pack(summary.min) ..
    series_pack(summary.max - summary.min) .. series_pack(summary.last - summary.min) .. series_pack(summary.high) ..
    series_pack(summary.low)
end

-- The summary that begins at byte `from` of a block, its index, and the byte where the next summary begins.
local function series_unpack_summary(step, name, from)
  local index, count, min, above, last, high, low
  index, from = series_unpack(step, name, from)
  count, from = series_unpack(step, name, from)
  min, from = series_unpack(step, name, from)
  above, from = series_unpack(step, name, from)
  last, from = series_unpack(step, name, from)
  high, from = series_unpack(step, name, from)
  low, from = series_unpack(step, name, from)
  if count == 0 or min + above > SERIES_VALUE_MAX or last > above then series_corrupt(step, name) end
  return {count = count, min = min, max = min + above, last = min + last, high = high, low = low}, index, from
end

-- Adds an older summary to a later one.
local function series_merge(later, older)
  later.count = later.count + older.count
  later.min = math.min(later.min, older.min)
  later.max = math.max(later.max, older.max)
  later.high = later.high + older.high
  later.low = later.low + older.low
  if later.low >= SERIES_SUM_BASE then later.high, later.low = later.high + 1, later.low - SERIES_SUM_BASE end
end

-- A block of points as one summary.
local function series_fold_points(step, name)
  local _, from = series_unpack(step, name, 1)
  local value, back, by
  value, from = series_unpack(step, name, from)
  local count, min, max, last, high, low = 0, value, value, value, 0, 0
  while true do
    local value_low = value % SERIES_SUM_BASE
    count, min, max = count + 1, math.min(min, value), math.max(max, value)
    high, low = high + (value - value_low) / SERIES_SUM_BASE, low + value_low
    if low >= SERIES_SUM_BASE then high, low = high + 1, low - SERIES_SUM_BASE end
    if from > #step.blocks[name] then break end
    back, from = series_unpack(step, name, from)
    by, from = series_unpack(step, name, from)
    value = back % 2 == 1 and value + by or value - by
    if value < 0 or value > SERIES_VALUE_MAX then series_corrupt(step, name) end
  end
  return {count = count, min = min, max = max, last = last, high = high, low = low}
end

-- A block of summaries as one summary.
local function series_fold_summaries(step, name)
  local all, _, from = series_unpack_summary(step, name, 1)
  while from <= #step.blocks[name] do
    local older
    older, _, from = series_unpack_summary(step, name, from)
    series_merge(all, older)
  end
  return all
end

local function series_name(kind, at) return kind.name .. string.format('%.0f', floor(at / kind.span)) end

-- Reads the blocks that the plan does not have yet. A missing block is ''.
local function series_load(step, names)
  local unknown = {}
  for _, name in ipairs(names) do
    if not step.blocks[name] then unknown[#unknown + 1] = name end
  end
  if #unknown == 0 then return end
  local found = redis.call('HMGET', step.key, unpack(unknown))
  for i, name in ipairs(unknown) do step.blocks[name] = found[i] or '' end
end

local function series_change(step, name, block)
  step.blocks[name] = block
  step.changed[name] = true
end

-- Adds a summary to the block of its span, after the newer summaries. Merges it with a summary that has the same index.
local function series_add_summary(step, kind, at, summary)
  local name = series_name(kind, at)
  series_load(step, {name})
  local block = step.blocks[name]
  local index = floor(at % kind.span / kind.width)
  local from, to = 1, 1
  while from <= #block and series_unpack(step, name, from) >= index do
    local there, its_index
    there, its_index, to = series_unpack_summary(step, name, from)
    if its_index == index then
      series_merge(summary, there)
      break
    end
    from = to
  end
  local packed = series_pack_summary(index, summary)
  series_change(step, name, string.sub(block, 1, from - 1) .. packed .. string.sub(block, to))
end

-- Removes every block that has become too old for its kind. The newest point was at `newest` and will be at `at`. `fold` is
-- called before each removal, with the name of the block and the time when its span began.
local function series_age(step, kind, newest, at, fold)
  local first = math.max(floor((newest - kind.kept) / kind.span), 0)
  local last = math.min(floor(newest / kind.span), floor((at - kind.kept) / kind.span) - 1)
  local names = {}
  for number = first, last do names[#names + 1] = series_name(kind, number * kind.span) end
  series_load(step, names)
  for i, name in ipairs(names) do
    if step.blocks[name] ~= '' then
      fold(name, (first + i - 1) * kind.span)
      series_change(step, name, '')
    end
  end
end

local function series_age_all(step, newest, at)
  series_age(step, SERIES_POINTS, newest, at, function(name, began)
    series_add_summary(step, SERIES_MINUTES, began, series_fold_points(step, name))
  end)
  series_age(step, SERIES_MINUTES, newest, at, function(name, began)
    series_add_summary(step, SERIES_HOURS, began, series_fold_summaries(step, name))
  end)
  series_age(step, SERIES_HOURS, newest, at, function() end)
end

-- A block of points with one more point, the newest.
local function series_add_point(step, name, offset, value)
  local packed = series_pack(offset) .. series_pack(value)
  local block = step.blocks[name]
  if block == '' then return packed end
  local before, before_value, from
  before, from = series_unpack(step, name, 1)
  before_value, from = series_unpack(step, name, from)
  if before > offset then series_corrupt(step, name) end
  local higher = before_value > value and 1 or 0
  return packed .. series_pack(2 * (offset - before) + higher) .. series_pack(math.abs(value - before_value)) ..
    string.sub(block, from)
end

local function series_number(text)
  local number = tonumber(text)
  return number and number >= 0 and number <= SERIES_VALUE_MAX and number % 1 == 0 and number or nil
end

-- Plans the changes for a new point. Writes nothing.
local function series_plan(key, at, value)
  at, value = series_number(at), series_number(value)
  if not at or not value then error('a point needs a time and a value, whole and from 0 to 2^53 - 1', 0) end
  local step = {key = key, blocks = {}, changed = {}}
  local name = series_name(SERIES_POINTS, at)
  local found = redis.pcall('HMGET', key, 'newest', name)
  if found.err then error(key .. ' is not a series: ' .. found.err, 0) end
  local newest = series_number(found[1] or at)
  if not newest then series_corrupt(step, 'newest') end
  step.newest = math.max(newest, at)
  step.blocks[name] = found[2] or ''
  local newest_name = series_name(SERIES_POINTS, newest)
  if at < newest then
    name = newest_name
    series_load(step, {name})
  elseif name ~= newest_name then -- a block can become too old only when a new span of points begins
    series_age_all(step, newest, at)
  end
  if #step.blocks[name] > SERIES_POINTS_BYTES then
    series_add_summary(step, SERIES_MINUTES, step.newest, series_fold_points(step, name))
    step.blocks[name] = ''
  end
  series_change(step, name, series_add_point(step, name, step.newest % SERIES_POINTS.span, value))
  return step
end

-- Writes the changes that series_plan() has planned. The series must not have changed in between.
local function series_write(step)
  local set, gone = {'newest', string.format('%.0f', step.newest)}, {}
  for name in pairs(step.changed) do
    if step.blocks[name] == '' then
      gone[#gone + 1] = name
    else
      set[#set + 1] = name
      set[#set + 1] = step.blocks[name]
    end
  end
  redis.call('HSET', step.key, unpack(set))
  if #gone > 0 then redis.call('HDEL', step.key, unpack(gone)) end
end
