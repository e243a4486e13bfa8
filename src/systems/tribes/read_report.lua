-- Marks a report as read.
-- KEYS: reports, read reports    ARGV: id of the report, how long reports are kept ms
-- Returns 1; 0 if there is no such report
local reports, read_reports = unpack(KEYS)
local id, kept_ms = unpack(ARGV)

if #redis.call('XRANGE', reports, id, id) == 0 then return 0 end
redis.call('SADD', read_reports, id)
redis.call('PEXPIRE', read_reports, kept_ms)
for _, read_id in ipairs(redis.call('SMEMBERS', read_reports)) do
  if #redis.call('XRANGE', reports, read_id, read_id) == 0 then redis.call('SREM', read_reports, read_id) end
end
return 1
