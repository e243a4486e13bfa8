"""The names, kinds and labels of the metrics, because dashboards rely on them; not their values and help texts."""
import re

from exchange import NOBODY
from play_economy import CALM

SAMPLE = re.compile(r"([a-z_]+)(?:\{(.*)\})? \S+")
LABEL = re.compile(r'([a-z_]+)="(?:[^"\\]|\\.)*"')


def play_metrics(play):
    play.arrange("POST", "/v1/ledger/types", {"name": "gold"})
    entry = {"order_id": "a", "op": "add", "type": 1, "domain": "main", "uid": "alice", "amount": 1}
    play.arrange("POST", "/v1/ledger/entries", entry)
    play.arrange("GET", "/v1/ledger/flows?uid=alice")
    play.arrange("POST", "/v1/economy/default/players/ann/farm", {"name": "Ann", "seed": CALM})
    play.arrange("GET", "/v1/economy/default/events")
    play.arrange("POST", "/v1/messages/select", {"user_id": "ada"})
    play.eventually(lambda: b"larder_ledger_flows_total{" in play.client.get("/metrics").raw
                    and b"larder_ledger_holds_open" in play.client.get("/metrics").raw, "the flow is counted")
    play.get("asks for metrics", "/metrics", key=NOBODY, digest=names_and_labels)


def names_and_labels(text):
    """Lines "name kind {labels}", sorted."""
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M))
    labels = {name: set() for name in kinds}
    for line in text.splitlines():
        if line.startswith("#") or not (match := SAMPLE.fullmatch(line)):
            continue
        family = match[1] if match[1] in kinds else re.sub(r"_(bucket|sum|count)$", "", match[1])
        labels.setdefault(family, set()).update(set(LABEL.findall(match[2] or "")) - {"le"})
    return "\n".join(f"{name} {kinds.get(name)} {{{','.join(sorted(labels[name]))}}}" for name in sorted(labels))
