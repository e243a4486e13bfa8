-- Leaderboards: sorted sets whose scores are whole numbers from 0 to 2^53 - 1.
-- KEYS and ARGV: those of the script that includes it
-- A script sets a score with redis.call('ZADD', key, score, member), where the score is digits: an argument, or
-- string.format('%.0f', number).

-- The score of a member as Redis writes it, and its rank, counted from 0. Returns nothing if the member is not on the board.
local function board_place(key, member)
  local score = redis.call('ZSCORE', key, member)
  if score then return score, redis.call('ZREVRANK', key, member) end
end

-- The places from `rank` on, counted from 0: member, score, ...
local function board_places(key, rank, count) return redis.call('ZREVRANGE', key, rank, rank + count - 1, 'WITHSCORES') end

-- The rank of the first of the `count` places around a member, counted from 0. Returns nothing if the member is not on the
-- board.
local function board_first_around(key, member, count)
  local rank = redis.call('ZREVRANK', key, member)
  if rank then return math.max(0, rank - math.floor(count / 2)) end
end

-- Adds to the score of a member. A member that is not on the board starts from 0. Returns the new score as digits. If the new
-- score would be below 0 or above 2^53 - 1, returns nothing and changes nothing.
local function board_add(key, member, by)
  local score = tonumber(redis.call('ZSCORE', key, member) or '0') + tonumber(by)
  if score < 0 or score > 9007199254740991 then return nil end
  return redis.call('ZINCRBY', key, string.format('%.0f', by), member)
end
