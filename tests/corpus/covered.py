"""Which routes, statuses and refusals of /openapi.json the recorded exchanges cover."""
import json
import re
from collections import Counter

from transcript import ANSWER, parse

# Refusals that any route may give. It is enough if one route gives them.
OF_ANY_ROUTE = {"rate_limited", "store_unavailable", "in_progress", "body_too_large", "idempotency_conflict"}
# What no request to one server with one Redis can cause.
OUT_OF_REACH = {"clock_off": "only with a clock that is wrong",
                "too_many_connections": "only with a limit for each address; heads_test does that",
                "202": "a transfer is pending only between the slots of a cluster", "not_one_slot": "only on a cluster",
                "realm_needs_name": "only on a cluster", "world_needs_name": "only on a cluster",
                "internal_error": "only a bug brings it about",
                "foreign_record": "only when another program has written to Redis; economy_test does that",
                "export_too_large": "only for a user with very much data; test_privacy.py does that",
                "server_busy": "only while very many wait; test_accounts_servers.py does that",
                "realm_lost": "only when Redis has lost a realm; test_readyz.py does that",
                "realm_closed": "only for the moment in which a realm is deleted; economy_test does that",
                "transfer_withdrawn": "only when a person returns a transfer; ledger_test does that",
                "world_lost": "only when Redis has lost a world; test_tribes_losses.py does that"}


class Exchange:
    def __init__(self, title, lines):
        at = next(i for i, line in enumerate(lines) if line.startswith(ANSWER))
        self.title = title
        self.method, _, target = lines[0].partition(" ")
        self.path = target.split(" ")[0].split("?")[0]
        self.status = lines[at][len(ANSWER):]
        code = re.search(r'"code":"(\w+)"', "\n".join(lines[at:]))
        self.code = code[1] if code else None


def exchanges_of(texts):
    return [Exchange(title, lines) for text in texts for title, lines in parse(text).items()]


def codes_of(content):
    """The codes of a refusal, in the short form of play_openapi.py or in full."""
    for media, schema in content.items():
        if media == "<problem>":
            return schema
        if media == "application/problem+json":
            return schema["schema"]["properties"]["code"]["enum"]
    return []


def routes_of(document):
    """(method, path template) -> statuses of success and codes of refusals."""
    routes = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            wanted = set()
            for status, response in operation["responses"].items():
                wanted |= set(codes_of(response.get("content", {})) or [status])
            routes[method.upper(), path] = wanted
    return routes


def find_route(routes, exchange):
    """Chooses as the server does: a literal segment wins over a parameter."""
    fitting = [(path.count("{"), method, path) for method, path in routes
               if method == exchange.method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), exchange.path)]
    return min(fitting)[1:] if fitting else None


def missing(document, texts):
    """Lines like "POST /v1/x: type_exists", without what is out of reach."""
    routes = routes_of(document)
    seen, seen_anywhere = {route: set() for route in routes}, set()
    for exchange in exchanges_of(texts):
        got = exchange.code or exchange.status
        seen_anywhere.add(got)
        route = find_route(routes, exchange)
        if route:
            seen[route].add(got)
    lines = []
    for route, wanted in routes.items():
        absent = {what for what in wanted - seen[route] if what not in OUT_OF_REACH
                  and not (what in OF_ANY_ROUTE and what in seen_anywhere)}
        lines += [f"{route[0]} {route[1]}: {what}" for what in sorted(absent)]
    return lines


def summary(document, texts, names):
    exchanges = exchanges_of(texts)
    statuses = Counter(exchange.status for exchange in exchanges)
    codes = {exchange.code for exchange in exchanges if exchange.code}
    by_file = ", ".join(f"{name} {len(parse(text))}" for name, text in zip(names, texts))
    lines = [f"{len(exchanges)} exchanges: {by_file}",
             "by status: " + ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items())),
             f"{len(codes)} codes: {', '.join(sorted(codes))}",
             f"{len(routes_of(document))} routes; not covered: {missing(document, texts) or 'nothing'}",
             "out of reach: " + "; ".join(f"{what}: {why}" for what, why in OUT_OF_REACH.items())]
    return "\n".join(lines)


def load(directory, names):
    """The recorded document, and the recorded texts of the files."""
    document = json.loads((directory / "openapi.json").read_text(encoding="utf-8"))
    return document, [(directory / name).read_text(encoding="utf-8") for name in names]
