"""Events of Discord's gateway and a client for them, for the tests of the cache."""
import json

DISCORD = "/v1/discord"
BOT, OWNER, MEMBER = "900000000000000001", "80351110224678912", "80351110224678913"
GUILD, CHANNEL, ROLE = "41771983423143937", "41771983423143938", "41771983423143940"
APPLICATION = "900000000000000002"


def dispatch(name, data, **more):
    return {"t": name, "d": data, **more}


def user(id, name="ada"):
    return {"id": id, "username": name, "discriminator": "0", "avatar": None}


def member(id, name="ada", roles=()):
    return {"user": user(id, name), "roles": list(roles), "joined_at": "2020-01-01T00:00:00Z", "deaf": False, "mute": False}


def guild(id=GUILD, members=None, **more):
    members = [member(OWNER, "owner"), member(MEMBER, "ada", [ROLE])] if members is None else members
    return {"id": id, "name": "Larder", "owner_id": OWNER, "member_count": len(members), "large": False,
            "channels": [{"id": CHANNEL, "type": 0, "name": "general", "permission_overwrites": []}],
            "roles": [{"id": id, "name": "@everyone", "permissions": "3072", "position": 0},
                      {"id": ROLE, "name": "cook", "permissions": "8192", "position": 1}],
            "emojis": [], "stickers": [], "members": members, "presences": [], "voice_states": [], "threads": [],
            "stage_instances": [], "guild_scheduled_events": [], **more}


def message(id, text="hello", author=MEMBER, channel=CHANNEL, guild=GUILD, **more):
    return {"id": id, "channel_id": channel, "guild_id": guild, "author": user(author), "content": text,
            "timestamp": "2024-01-01T00:00:00Z", "mentions": [], "attachments": [], "embeds": [], **more}


class Discord:
    """A client of the cache."""

    def __init__(self, case, client):
        self.case, self.client = case, client

    def send(self, *events, query="", headers=None):
        body = json.dumps(events[0] if len(events) == 1 else events)
        return self.client.send("POST", f"{DISCORD}/events{query}", body, headers)

    def apply(self, *events):
        """Sends events, all of which must be applied."""
        answer = self.send(*events)
        self.case.assertEqual(answer.status, 200, answer)
        self.case.assertEqual((answer.json["applied"], answer.json["failed"]), (len(events), []), answer)
        return answer.json

    def get(self, path):
        answer = self.client.get(f"{DISCORD}{path}")
        self.case.assertEqual(answer.status, 200, answer)
        return answer.json

    def listed(self, path, limit=2):
        items, cursor = [], None
        while True:
            page = self.get(f"{path}?limit={limit}" + (f"&cursor={cursor}" if cursor else ""))
            items += page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return items
