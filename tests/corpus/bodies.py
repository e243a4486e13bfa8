"""Makes bodies that are refused out of a body that is right."""
import json

AMOUNT_MAX = 9_007_199_254_740_991
PAST, FUTURE = "2020-01-01T00:00:00.000Z", "2099-12-31T23:59:59.999Z"


def with_piece(body, name, piece):
    """The body as JSON, with `piece` as one of its values, even if `piece` is not JSON."""
    return json.dumps(body | {name: "@@"}, ensure_ascii=False).replace('"@@"', piece)


def without(body, name):
    return {other: value for other, value in body.items() if other != name}


def refuse_each(play, what, method, path, good, pieces, key="admin"):
    """Sends the body once for each wrong value. `pieces`: field -> pieces of JSON; None: without the field."""
    for name, wrong in pieces.items():
        for piece in wrong:
            if piece is None:
                play.send(f"{what} without {name}", method, path, without(good, name), key=key)
            else:
                shown = piece if len(piece) <= 40 else f"{piece[:12]}... of {len(piece)} characters"
                play.send(f"{what} with {name} {shown}", method, path, with_piece(good, name, piece), key=key)


# Wrong values of each kind: the whole list where a kind is read first, and a few where the same reader is used again.
TEXT = [None, "null", "1", "[]"]
BAD_ID = [None, "1", '""', '"a b"']
POSITIVE = [None, '"5"', "1.5", "0", str(AMOUNT_MAX + 1)]
TYPE_ID = [None, '"x"', "0", "1.5"]
MOMENT = ['"2024-01-01"', "1700000000000"]
FEW_IDS, FEW_AMOUNTS, FEW_TYPES = [None, '"a b"'], [None, "0", '"5"'], [None, "0"]


def characters(count, char="x"):
    return json.dumps(char * count, ensure_ascii=False)
