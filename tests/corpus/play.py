"""Plays every script against its own server. The result is a text for each file of answers/."""
import json
from contextlib import contextmanager

from exchange import Play
from game import GAME, OPTIONS
from harness import Server, TempDir, redis_keys, run_larder
from play_accounts import play_accounts
from play_admin import play_admin
from play_cache import play_cache, play_full_cache, play_nothing_kept
from play_commands import play_commands
from play_economy import play_economy
from play_economy_care import play_economy_care
from play_economy_input import play_economy_input
from play_http import play_http
from play_ledger import play_ledger
from play_ledger_input import play_ledger_input
from play_messages import play_messages
from play_metrics import play_metrics
from play_openapi import STRUCTURE, play_openapi
from play_routes import play_routes
from play_settings import (play_address, play_any_origin, play_cors, play_in_progress, play_limits, play_many_listeners,
                           play_one_connection, play_other_catalogue, play_two_origins, play_without_redis)
from play_tribes import play_tribes
from play_types import play_all_types
from play_webhooks import play_webhooks
from play_web import play_web
from transcript import text_of

ONE_THREAD = ("--set", "server.threads=1")
SEEDS = (*ONE_THREAD, "--set", "economy.allow_seed=true")
WEBHOOKS = (*SEEDS, "--set", "webhooks.allow=127.0.0.1")
LIMITS = ("--set", "server.rate_tokens=2", "--set", "server.rate_seconds=1200000", "--set",
          "server.metrics_public=true")

KEEP_NOTHING = tuple(word for name in ("applications", "bans", "commands", "templates", "webhooks", "welcome_screens", "widgets")
                     for word in ("--set", f"cache.keep.{name}=false"))

# File -> scripts, each with the settings of its server.
SCRIPTS = {
    "types.txt": [(play_all_types, SEEDS)],
    "ledger.txt": [(play_ledger, SEEDS)],
    "ledger_input.txt": [(play_ledger_input, SEEDS)],
    "economy.txt": [(play_economy, SEEDS)],
    "economy_input.txt": [(play_economy_input, SEEDS)],
    "economy_care.txt": [(play_economy_care, (*SEEDS, "--set", "economy.catalogue={directory}/options.json"))],
    "messages.txt": [(play_messages, SEEDS)],
    "accounts.txt": [(play_accounts, SEEDS)],
    "tribes.txt": [(play_tribes, SEEDS)],
    "admin.txt": [(play_admin, SEEDS)],
    "webhooks.txt": [(play_webhooks, WEBHOOKS)],
    "cache.txt": [(play_cache, ONE_THREAD), (play_nothing_kept, (*ONE_THREAD, *KEEP_NOTHING)),
                  (play_full_cache, ONE_THREAD)],
    "http.txt": [(play_http, SEEDS), (play_metrics, SEEDS), (play_web, SEEDS)],
    "routes.txt": [(play_routes, SEEDS)],
    "settings.txt": [(play_limits, (*ONE_THREAD, *LIMITS)),
                     (play_cors, (*ONE_THREAD, "--set", "server.cors_origin=https://example.org")),
                     (play_two_origins, (*ONE_THREAD, "--set",
                                         "server.cors_origin=https://example.org, http://localhost:5173")),
                     (play_address, (*ONE_THREAD, "--set", "server.connections_per_address_max=1",
                                     "--set", "accounts.behind_proxy=true")),
                     (play_any_origin, (*ONE_THREAD, "--set", "server.cors_origin=*")),
                     (play_one_connection, (*ONE_THREAD, "--set", "server.connections_max=1")),
                     (play_without_redis, (*ONE_THREAD, "--redis", "unix:/nonexistent/redis.sock")),
                     (play_other_catalogue, (*ONE_THREAD, "--set", "economy.catalogue={directory}/game.json")),
                     (play_in_progress, ONE_THREAD),
                     (play_many_listeners, ONE_THREAD)],
}
COMMANDS = "commands.txt"
NAMES = [*SCRIPTS, COMMANDS, STRUCTURE]  # the one that takes longest comes first
NEED_KEYS = (play_http, play_routes, play_limits, play_accounts, play_tribes, play_cache)
keys_left = set()  # every key that a script has left in Redis


def make_keys(data):
    """Makes service keys, by name, before the server starts, so that the server knows all of them."""
    def larder(*args):
        done = run_larder(*args, "--data", data)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return done.stdout.strip()

    larder("migrate")
    keys = {scope: larder("key", "create", "--name", scope, "--scope", scope) for scope in ("ledger", "economy",
                                                                                            "messages")}
    keys["revoked"] = larder("key", "create", "--name", "revoked", "--scope", "ledger")
    larder("key", "revoke", keys["revoked"].split("_")[1])
    return keys


@contextmanager
def playing(args, with_keys=False):
    """A Play on a new server with these settings. {directory} stands for the directory that has game.json and options.json."""
    directory = TempDir()
    data = directory / "data"
    (directory / "game.json").write_text(json.dumps(GAME))
    (directory / "options.json").write_text(json.dumps(OPTIONS))
    keys = make_keys(data) if with_keys else {}
    server = Server(*(arg.replace("{directory}", str(directory.path)) for arg in args), data=data)
    try:
        server.start()
        play = Play(server, keys)
        yield play
        play.close()
        for redis_socket in (server.redis_socket, server.cache_socket):
            if redis_socket.exists():
                keys_left.update(key for key in redis_keys(redis_socket) if key)
    finally:
        server.close()
        directory.remove()


def play_file(name):
    """File -> text, for one file. With the structure of /openapi.json comes its prose, too."""
    if name == STRUCTURE:
        with playing(ONE_THREAD) as play:
            return play_openapi(play.client)
    if name == COMMANDS:
        return {name: text_of(play_commands())}
    records = []
    for script, args in SCRIPTS[name]:
        with playing(args, script in NEED_KEYS) as play:
            script(play)
            records += play.records
    return {name: text_of(records)}
