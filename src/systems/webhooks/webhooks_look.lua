#!lua flags=allow-oom
-- Looks what a server has to do, and keeps the lease of the one that follows the feed.
-- KEYS: state, lease, followed    ARGV: owner, lease ms
-- Returns {the revision of the webhooks or '', the place in the feed or '', 1 if the caller has the lease or 0}.
local state, lease, followed = unpack(KEYS)
local owner, lease_ms = ARGV[1], tonumber(ARGV[2])

local revision = redis.call('HGET', state, 'revision') or ''
local place = redis.call('GET', followed)
if not place then return {revision, '', 0} end
local holder = redis.call('GET', lease)
if holder and holder ~= owner then return {revision, place, 0} end
-- Each write costs a sync of the disk, so the lease is renewed only when half of it is over.
if not holder or redis.call('PTTL', lease) < lease_ms / 2 then redis.call('SET', lease, owner, 'PX', lease_ms) end
return {revision, place, 1}
