-- Takes a job out of the due set, unless it was asked for again since it began: then its due time has changed.
-- KEYS: jobs    ARGV: job, due ms when it began
-- Returns 1 if the job is out, otherwise 0
local jobs = KEYS[1]
local job, due = unpack(ARGV)

local score = redis.call('ZSCORE', jobs, job)
if not score or tonumber(score) ~= tonumber(due) then return 0 end
return redis.call('ZREM', jobs, job)
