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
local SERIES_SPAN = 300000 -- of a block of points
local SERIES_POINTS_BYTES = 2048 -- a longer block of points becomes a summary at once
local char, byte, floor, format = string.char, string.byte, math.floor, string.format

local function series_corrupt(key, name) error(key .. ' is not a series: ' .. name .. ' is corrupt', 0) end

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

-- Plans a point that is more than one more point in a block: others become too old, or a block becomes a summary. Its
-- functions are made only when they are needed, because that takes as long as a whole point.
local function series_plan_more(key, newest, at, value, name, block)
  local SUM_BASE = 2 ^ 42 -- a double could not hold a sum, so a sum has two parts
  local POINTS = {name = 'p', span = SERIES_SPAN, kept = 3600000}
  local MINUTES = {name = 'm', span = 3600000, kept = 86400000, width = 300000}
  local HOURS = {name = 'h', span = 86400000, kept = 604800000, width = 3600000}
  local blocks, changed = {[name] = block}, {}

  local function read(block_name, from) return series_unpack(key, block_name, blocks[block_name], from) end

  local function pack_summary(index, summary)
    return series_pack(index) .. series_pack(summary.count) .. series_pack(summary.min) ..
      series_pack(summary.max - summary.min) .. series_pack(summary.last - summary.min) .. series_pack(summary.high) ..
      series_pack(summary.low)
  end

  -- The summary that begins at byte `from` of a block, its index, and the byte where the next summary begins.
  local function read_summary(block_name, from)
    local index, count, min, above, last, high, low
    index, from = read(block_name, from)
    count, from = read(block_name, from)
    min, from = read(block_name, from)
    above, from = read(block_name, from)
    last, from = read(block_name, from)
    high, from = read(block_name, from)
    low, from = read(block_name, from)
    if count == 0 or min + above > SERIES_VALUE_MAX or last > above then series_corrupt(key, block_name) end
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
  local function fold_points(block_name)
    local _, from = read(block_name, 1)
    local point, back, by
    point, from = read(block_name, from)
    local count, min, max, last, high, low = 0, point, point, point, 0, 0
    while true do
      local point_low = point % SUM_BASE
      count, min, max = count + 1, math.min(min, point), math.max(max, point)
      high, low = high + (point - point_low) / SUM_BASE, low + point_low
      if low >= SUM_BASE then high, low = high + 1, low - SUM_BASE end
      if from > #blocks[block_name] then break end
      back, from = read(block_name, from)
      by, from = read(block_name, from)
      point = back % 2 == 1 and point + by or point - by
      if point < 0 or point > SERIES_VALUE_MAX then series_corrupt(key, block_name) end
    end
    return {count = count, min = min, max = max, last = last, high = high, low = low}
  end

  -- A block of summaries as one summary.
  local function fold_summaries(block_name)
    local all, _, from = read_summary(block_name, 1)
    while from <= #blocks[block_name] do
      local older
      older, _, from = read_summary(block_name, from)
      merge(all, older)
    end
    return all
  end

  local function name_of(kind, moment) return format('%s%d', kind.name, floor(moment / kind.span)) end

  -- Reads the blocks that the plan does not have yet. A missing block is ''.
  local function load(names)
    local unknown = {}
    for _, each in ipairs(names) do
      if not blocks[each] then unknown[#unknown + 1] = each end
    end
    if #unknown == 0 then return end
    local found = redis.call('HMGET', key, unpack(unknown))
    for i, each in ipairs(unknown) do blocks[each] = found[i] or '' end
  end

  local function change(block_name, to)
    blocks[block_name] = to
    changed[block_name] = true
  end

  -- Adds a summary to the block of its span, after the newer summaries. Merges it with a summary that has the same index.
  local function add_summary(kind, moment, summary)
    local block_name = name_of(kind, moment)
    load({block_name})
    local there_block = blocks[block_name]
    local index = floor(moment % kind.span / kind.width)
    local from, to = 1, 1
    while from <= #there_block and read(block_name, from) >= index do
      local there, its_index
      there, its_index, to = read_summary(block_name, from)
      if its_index == index then
        merge(summary, there)
        break
      end
      from = to
    end
    change(block_name, string.sub(there_block, 1, from - 1) .. pack_summary(index, summary) .. string.sub(there_block, to))
  end

  -- Removes every block that has become too old for its kind. `fold` is called before each removal, with the name of the
  -- block and the time when its span began.
  local function age(kind, fold)
    local first = math.max(floor((newest - kind.kept) / kind.span), 0)
    local last = math.min(floor(newest / kind.span), floor((at - kind.kept) / kind.span) - 1)
    if last < first then return end
    local names = {}
    for number = first, last do names[#names + 1] = name_of(kind, number * kind.span) end
    load(names)
    for i, each in ipairs(names) do
      if blocks[each] ~= '' then
        fold(each, (first + i - 1) * kind.span)
        change(each, '')
      end
    end
  end

  if at < newest then
    at, name = newest, name_of(POINTS, newest)
    load({name})
  elseif name ~= name_of(POINTS, newest) then -- a block can become too old only when a new span of points begins
    age(POINTS, function(each, began) add_summary(MINUTES, began, fold_points(each)) end)
    age(MINUTES, function(each, began) add_summary(HOURS, began, fold_summaries(each)) end)
    age(HOURS, function() end)
  end
  if #blocks[name] > SERIES_POINTS_BYTES then
    add_summary(MINUTES, at, fold_points(name))
    blocks[name] = ''
  end
  change(name, series_add_point(key, name, blocks[name], at % SERIES_SPAN, value))

  local set, gone = {'newest', format('%d', at)}, {}
  for each in pairs(changed) do
    if blocks[each] == '' then
      gone[#gone + 1] = each
    else
      set[#set + 1], set[#set + 2] = each, blocks[each]
    end
  end
  return {key = key, set = set, gone = gone}
end

-- Plans the changes for a new point. Writes nothing.
local function series_plan(key, at, value)
  at, value = series_number(at), series_number(value)
  if not at or not value then error('a point needs a time and a value, whole and from 0 to 2^53 - 1', 0) end
  local span = floor(at / SERIES_SPAN)
  local name = format('p%d', span)
  local found = redis.pcall('HMGET', key, 'newest', name)
  if found.err then error(key .. ' is not a series: ' .. found.err, 0) end
  local newest, block = series_number(found[1] or at), found[2] or ''
  if not newest then series_corrupt(key, 'newest') end
  if at < newest or floor(newest / SERIES_SPAN) ~= span or #block > SERIES_POINTS_BYTES then
    return series_plan_more(key, newest, at, value, name, block)
  end
  return {key = key, set = {'newest', format('%d', at), name, series_add_point(key, name, block, at % SERIES_SPAN, value)}}
end

-- Writes the changes that series_plan() has planned. The series must not have changed in between.
local function series_write(step)
  redis.call('HSET', step.key, unpack(step.set))
  if step.gone and #step.gone > 0 then redis.call('HDEL', step.key, unpack(step.gone)) end
end
