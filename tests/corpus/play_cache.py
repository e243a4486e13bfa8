"""The Discord cache: what every route answers and refuses."""
import json

from exchange import NOBODY
from harness import redis_cli
from discord import (APPLICATION, BOT, CHANNEL, DISCORD, GUILD, MEMBER, OWNER, ROLE, dispatch, guild, member, message,
                     user)

EVENTS = f"{DISCORD}/events"
NDJSON = {"Content-Type": "application/x-ndjson"}
THREAD, MESSAGE, INTERACTION, STAGE = "5100000000000000001", "5100000000000000002", "5100000000000000003", "5100000000000000004"
OF_GUILD = f"{DISCORD}/guilds/{GUILD}"
COLLECTIONS = {"channels": CHANNEL, "roles": ROLE, "emojis": "61", "stickers": "62", "members": MEMBER,
               "voice-states": MEMBER, "presences": MEMBER, "automod-rules": "63", "scheduled-events": "64",
               "integrations": "65", "templates": "code-1", "bans": "81", "invites": "inv-1", "stage-instances": STAGE,
               "threads": THREAD, "webhooks": "71"}
WRITTEN = {
    f"{DISCORD}/applications/{APPLICATION}": {"id": APPLICATION, "name": "bot", "owner": user(OWNER, "owner")},
    f"{DISCORD}/commands/{APPLICATION}/31": {"name": "farm", "type": 1, "options": []},
    f"{OF_GUILD}/welcome-screen": {"description": "hi", "welcome_channels": []},
    f"{OF_GUILD}/widget": {"id": GUILD, "name": "Larder", "instant_invite": None, "channels": [], "presence_count": 1},
    f"{OF_GUILD}/templates/code-1": {"name": "t", "creator": user(OWNER, "owner")},
    f"{OF_GUILD}/webhooks/71": {"channel_id": CHANNEL, "type": 1, "user": user(OWNER, "owner")},
    f"{DISCORD}/webhooks/72": {"guild_id": GUILD, "channel_id": CHANNEL, "type": 1},
    f"{OF_GUILD}/bans/81": {"reason": "spam", "user": user("81", "mallory")},
}


def play_cache(play):
    play_nothing(play)
    play_events(play)
    play_writes(play)
    play_objects(play)
    play_lists(play)
    play_lookups(play)
    play_bodies(play)
    play_bad_ids(play)
    play_refused(play)
    play_care(play)


def play_refused(play):
    """Without a token, and with the key of another system."""
    reads = (OF_GUILD, f"{OF_GUILD}/welcome-screen", f"{OF_GUILD}/widget", f"{OF_GUILD}/roles/1", f"{OF_GUILD}/roles",
             f"{OF_GUILD}/members/1/permissions", f"{DISCORD}/guilds", f"{DISCORD}/users/1", f"{DISCORD}/users/1/guilds",
             f"{DISCORD}/channels/1", f"{DISCORD}/channels/1/messages", f"{DISCORD}/threads/1",
             f"{DISCORD}/threads/1/members", f"{DISCORD}/threads/1/members/1", f"{DISCORD}/messages/1",
             f"{DISCORD}/messages/1/reactions", f"{DISCORD}/messages/1/reactions/61", f"{DISCORD}/invites/a",
             f"{DISCORD}/webhooks/1", f"{DISCORD}/interactions/1", f"{DISCORD}/applications/1", f"{DISCORD}/commands/1",
             f"{DISCORD}/commands/1/1", f"{DISCORD}/stats")
    writes = [path for path in WRITTEN if "/templates/" not in path and "/bans/" not in path]
    routes = [*(("GET", path) for path in reads), *(("PUT", path) for path in writes),
              *(("DELETE", path) for path in writes), ("DELETE", f"{DISCORD}/cache?version=v9"), ("POST", EVENTS),
              ("POST", f"{DISCORD}/lookup")]
    for method, path in routes:
        body = "{}" if method in ("PUT", "POST") else None
        play.send(f"{method} {path} without a token", method, path, body, key=NOBODY)
        play.send(f"{method} {path} with the ledger key", method, path, body, key="ledger")


def whole_guild():
    return guild(
        emojis=[{"id": "61", "name": "pizza", "user": user(OWNER, "owner")}],
        stickers=[{"id": "62", "name": "slice", "type": 2}],
        voice_states=[{"user_id": MEMBER, "channel_id": STAGE, "session_id": "s", "deaf": False}],
        presences=[{"user": {"id": MEMBER}, "status": "online", "activities": []}],
        threads=[{"id": THREAD, "type": 11, "parent_id": CHANNEL, "name": "thread", "owner_id": OWNER}],
        stage_instances=[{"id": "66", "guild_id": GUILD, "channel_id": STAGE, "topic": "talk"}],
        guild_scheduled_events=[{"id": "64", "guild_id": GUILD, "name": "party", "creator": user(OWNER, "owner")}])


def play_nothing(play):
    play.get("lists no guilds", f"{DISCORD}/guilds")
    play.get("shows a guild that is not cached", OF_GUILD)
    play.get("lists members of a guild that is not cached", f"{OF_GUILD}/members")
    play.post("applies no events", EVENTS, [])


def play_events(play):
    ready = {"user": user(BOT, "bot"), "application": {"id": APPLICATION}, "guilds": [{"id": GUILD, "unavailable": True}]}
    play.post("applies one event", EVENTS, dispatch("READY", ready, s=1, shard=0))
    play.post("applies a guild", EVENTS, [dispatch("GUILD_CREATE", whole_guild(), s=2, shard=0)], show='[{"t": "GUILD_CREATE", ...}]')
    reaction = {"user_id": MEMBER, "channel_id": CHANNEL, "message_id": MESSAGE, "guild_id": GUILD}
    more = [
        dispatch("MESSAGE_CREATE", message(MESSAGE, "hello")),
        dispatch("MESSAGE_REACTION_ADD", reaction | {"emoji": {"id": None, "name": "🍕"}}),
        dispatch("MESSAGE_REACTION_ADD", reaction | {"emoji": {"id": "61", "name": "pizza"}}),
        dispatch("THREAD_MEMBERS_UPDATE", {"id": THREAD, "guild_id": GUILD, "member_count": 1, "added_members": [
            {"id": THREAD, "user_id": MEMBER, "join_timestamp": "2024-01-01T00:00:00Z", "flags": 0}]}),
        dispatch("AUTO_MODERATION_RULE_CREATE", {"id": "63", "guild_id": GUILD, "name": "no spam"}),
        dispatch("INTEGRATION_CREATE", {"id": "65", "guild_id": GUILD, "name": "twitch"}),
        dispatch("INVITE_CREATE", {"code": "inv-1", "guild_id": GUILD, "channel_id": CHANNEL, "max_age": 0,
                                   "inviter": user(OWNER, "owner")}),
        dispatch("INTERACTION_CREATE", {"id": INTERACTION, "application_id": APPLICATION, "type": 2, "token": "secret",
                                        "guild_id": GUILD, "channel_id": CHANNEL, "member": member(MEMBER, "ada", [ROLE])}),
    ]
    play.post("applies what else a guild has", EVENTS, more, show="[<8 events>]")
    play.post("applies events that are ignored or unknown", EVENTS,
              [dispatch("TYPING_START", {"channel_id": CHANNEL, "user_id": MEMBER, "timestamp": 1}), dispatch("NEW_THING", {})])
    play.post("asks what was before", f"{EVENTS}?before=true", [dispatch("MESSAGE_UPDATE", {
        "id": MESSAGE, "channel_id": CHANNEL, "guild_id": GUILD, "content": "changed"})])
    lines = "\n".join(json.dumps(dispatch("USER_UPDATE", user(id, "line"))) for id in ("7101", "7102"))
    play.post("applies lines", EVENTS, lines, headers=NDJSON)
    play.post("applies malformed events among others", EVENTS,
              '[{"t":"USER_UPDATE","d":{"id":"7103","username":"eve"}},{"t":"USER_UPDATE"},{"d":{}},1,nonsense,,'
              '{"t":"USER_UPDATE","d":{"id":"x"}},{"t":"USER_UPDATE","d":{"id":"7104","username":"\\ud800"}}]')


def play_writes(play):
    for number, (path, body) in enumerate(WRITTEN.items()):
        play.get(f"shows {path} before it is stored" if "application" not in path else f"shows {path} of an event", path)
        play.send(f"stores {path}", "PUT", path, body)
        play.send(f"shows {path}", "GET", path)
        play.send(f"deletes {path}", "DELETE", path)
        play.send(f"deletes {path} again", "DELETE", path)
        play.send(f"stores {path} again", "PUT", path, body, headers={"Idempotency-Key": f"put-{number}"})
        for wrong in ("", "[]", "{", '{"id":1}' if "/bans/" not in path else '{"reason":1}'):
            play.send(f"stores {path} as {wrong or 'nothing'}", "PUT", path, wrong)
        play.send(f"stores {path} as text", "PUT", path, "{}", headers={"Content-Type": "text/plain"})


def play_objects(play):
    for path in (OF_GUILD, f"{DISCORD}/users/{MEMBER}", f"{DISCORD}/channels/{CHANNEL}", f"{DISCORD}/threads/{THREAD}",
                 f"{DISCORD}/threads/{THREAD}/members/{MEMBER}", f"{DISCORD}/messages/{MESSAGE}",
                 f"{DISCORD}/invites/inv-1", f"{DISCORD}/webhooks/71", f"{DISCORD}/interactions/{INTERACTION}",
                 f"{DISCORD}/applications/{APPLICATION}", f"{DISCORD}/commands/{APPLICATION}/31"):
        play.get(f"reads {path}", path)
        play.get(f"reads {path} as it is stored", f"{path}?raw=true")
        play.get(f"reads {path} with a parameter", f"{path}?x=1")
        other = path.replace("inv-1", "inv-2") if "invites" in path else path[:path.rindex("/")] + "/999"
        play.get(f"reads {other}, which is not cached", other)
    for name, id in COLLECTIONS.items():
        play.get(f"reads {name} {id}", f"{OF_GUILD}/{name}/{id}")
        play.get(f"reads {name} {id} of another guild", f"{DISCORD}/guilds/42/{name}/{id}")


def play_lists(play):
    for name in COLLECTIONS:
        play.get(f"lists {name}", f"{OF_GUILD}/{name}")
    for path in ("guilds", f"users/{MEMBER}/guilds", f"channels/{CHANNEL}/messages", f"threads/{THREAD}/members",
                 f"messages/{MESSAGE}/reactions", f"messages/{MESSAGE}/reactions/%F0%9F%8D%95",
                 f"messages/{MESSAGE}/reactions/61", f"commands/{APPLICATION}", "users/999/guilds"):
        play.get(f"lists {path}", f"{DISCORD}/{path}")
        play.get(f"lists {path} as it is stored", f"{DISCORD}/{path}?raw=true")
        for query in ("limit=0", "limit=501", "cursor=%40%40", "x=1", "raw=2"):
            play.get(f"lists {path} with {query}", f"{DISCORD}/{path}?{query}")
    play.get("lists members with a cursor that is none", f"{OF_GUILD}/members?cursor=%40%40")
    taken = play.get("lists one role", f"{OF_GUILD}/roles?limit=1", capture={"cursor": ("next_cursor", r"\S+")})
    play.get("lists the next role", f"{OF_GUILD}/roles?limit=1&cursor={taken['cursor']}")


def play_lookups(play):
    keys = [["member", GUILD, MEMBER], ["user", "999"], ["channel", CHANNEL], ["channel", GUILD, CHANNEL],
            ["widget", GUILD], ["invite", "inv-1"]]
    play.post("looks many up", f"{DISCORD}/lookup", {"keys": keys})
    play.post("looks many up as they are stored", f"{DISCORD}/lookup?raw=true", {"keys": keys})
    play.post("looks none up", f"{DISCORD}/lookup", {"keys": []})
    for wrong in ("x", [], [1], ["user"], ["user", "x"], ["user", "1", "2"], ["nothing", "1"], ["member", GUILD], {}):
        play.post(f"looks up {json.dumps(wrong)}", f"{DISCORD}/lookup", {"keys": [["user", "1"], wrong]})
    play.post("looks too many up", f"{DISCORD}/lookup", {"keys": [["user", "1"]] * 1001}, show='{"keys": [<1001 keys>]}')
    for body in ("", "[]", "{}", '{"keys":1}', '{"keys":[],"x":1}'):
        play.post(f"looks up with the body {body or 'nothing'}", f"{DISCORD}/lookup", body)
    play.post("looks up with text", f"{DISCORD}/lookup", "{}", headers={"Content-Type": "text/plain"})
    for path in (f"members/{MEMBER}/permissions", f"members/{MEMBER}/permissions?channel={CHANNEL}",
                 f"members/{OWNER}/permissions", "members/999/permissions", f"members/{MEMBER}/permissions?channel=999",
                 f"members/{MEMBER}/permissions?channel=x", "members/x/permissions"):
        play.get(f"computes {path}", f"{OF_GUILD}/{path}")


def play_bodies(play):
    for body in ("", " ", "1", '"x"', "[", "[{}] x", "[{}}"):
        play.post(f"applies the body {body!r}", EVENTS, body)
    play.post("applies too many events", EVENTS, json.dumps([{}] * 1001), show="[<1001 events>]")
    play.post("applies text", EVENTS, "{}", headers={"Content-Type": "text/plain"})
    play.post("applies events with a parameter", f"{EVENTS}?x=1", [])
    play.post("applies events before what", f"{EVENTS}?before=2", [])


def play_bad_ids(play):
    for path in ("guilds/x", "guilds/x/members", "guilds/x/members/1", f"guilds/{GUILD}/nothing", f"guilds/{GUILD}/nothing/1",
                 f"guilds/{GUILD}/roles/x", f"guilds/{GUILD}/templates/a.b", "guilds/x/welcome-screen", "guilds/x/widget",
                 "users/01", "users/18446744073709551616", "users/x/guilds", "channels/-1", "channels/x/messages",
                 "threads/x", "threads/x/members", "threads/1/members/x", "messages/1.5", "messages/x/reactions",
                 "messages/1/reactions/a%3Ab", "messages/x/reactions/61", "invites/a%20b", "webhooks/x",
                 "interactions/x", "applications/x", "commands/x", "commands/1/x", "guilds/x/members/1/permissions"):
        play.get(f"reads the bad path {path}", f"{DISCORD}/{path}")
    for path in ("applications/x", "commands/1/x", "guilds/x/welcome-screen", "guilds/x/widget", "guilds/1/bans/x",
                 "guilds/1/roles/1", "webhooks/x"):
        play.send(f"stores at the bad path {path}", "PUT", f"{DISCORD}/{path}", {})
        play.send(f"deletes at the bad path {path}", "DELETE", f"{DISCORD}/{path}")


def play_care(play):
    def all_counted():
        stats = play.arrange("GET", f"{DISCORD}/stats")
        return stats["events"].get("USER_UPDATE") == 4 and "unknown" in stats["events"] and stats["shards"]

    play.eventually(all_counted, "the counts are written")
    play.get("counts", f"{DISCORD}/stats", digest=lambda text: digest_of_stats(json.loads(text)))
    play.get("counts with a parameter", f"{DISCORD}/stats?x=1")
    for query in ("", "?version=1", "?version=v1&prefix=tribes", "?version=v1&prefix=a%20b", "?version=v1&x=1"):
        play.send(f"deletes the cache{query}", "DELETE", f"{DISCORD}/cache{query}")
    play.send("deletes a version that is empty", "DELETE", f"{DISCORD}/cache?version=v0")
    play.send("deletes another prefix", "DELETE", f"{DISCORD}/cache?version=v1&prefix=other")


def digest_of_stats(stats):
    """Without times and bytes, which depend on Redis."""
    objects = {name: kind["objects"] for name, kind in sorted(stats["kinds"].items())}
    shards = [(shard["shard"], shard["s"]) for shard in stats["shards"]]
    return json.dumps({"members": sorted(stats), "objects": objects, "events": stats["events"], "shards": shards})


def play_nothing_kept(play):
    """The settings say that nothing is kept of what no event carries."""
    for path, body in WRITTEN.items():
        play.send(f"stores {path}, which is not kept", "PUT", path, body)


def play_full_cache(play):
    """The Redis of the cache has no memory left."""
    redis_cli(play.server.cache_socket, "CONFIG", "SET", "maxmemory", "1mb")  # less than an empty Redis takes
    play.post("applies an event to a full cache", EVENTS, dispatch("USER_UPDATE", user("7101", "line")))
    for path, body in WRITTEN.items():
        play.send(f"stores {path} in a full cache", "PUT", path, body)
