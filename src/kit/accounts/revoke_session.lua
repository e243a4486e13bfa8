-- include account.lua
-- Ends one session.
-- KEYS: revoked    ARGV: the session's id, kept ms of revoked
revoke(KEYS[1], ARGV[2], 'session', ARGV[1])
