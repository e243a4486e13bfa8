"""The key patterns of docs/keys.md, as regular expressions."""
import re


def load(page):
    """Pattern -> regular expression."""
    text = page.read_text(encoding="utf-8")
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("| `")]
    cells = [[cell.strip().strip("`").replace(r"\|", "|") for cell in row] for row in rows]
    values = {row[0]: row[1] for row in cells if len(row) == 2}
    patterns = {}
    for row in cells:
        if len(row) != 3 or row[1].startswith(("{", "<")):  # of the table of pairs
            continue
        parts = re.split(r"(<\w+>)", row[0])
        patterns[row[0]] = re.compile("".join(f"(?:{values[part]})" if part in values else re.escape(part)
                                              for part in parts).encode("latin-1"), re.DOTALL)
    return patterns


def unknown(patterns, keys):
    """The keys that match no pattern."""
    return sorted(key for key in keys if not any(pattern.fullmatch(key) for pattern in patterns.values()))
