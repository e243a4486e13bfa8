"""/openapi.json as two files: its structure, which must not change, and its prose, which may change."""
import json
import re

STRUCTURE, PROSE = "openapi.json", "openapi_prose.json"
PROSE_NAMES = ("description", "summary")
WIDTH = 160


def is_prose(path, value):
    """Whether this is prose of the document itself. A property with the name of such a member is not."""
    return path[-1] in PROSE_NAMES and isinstance(value, str) and (len(path) < 2 or path[-2] != "properties")


def structure_of(value, path=()):
    """The document without its prose, with the members in their order."""
    if isinstance(value, dict):
        return {name: structure_of(member, (*path, name)) for name, member in value.items() if not is_prose((*path,
                                                                                                             name),
                                                                                                             member)}
    if isinstance(value, list):
        return [structure_of(member, (*path, str(i))) for i, member in enumerate(value)]
    return "<version>" if path == ("info", "version") and re.fullmatch(r"\d+\.\d+\.\d+", value) else value


PROBLEM = {"$ref": "#/components/schemas/Problem"}


def shortened(value):
    """The same, but with {"<problem>": codes} for the content of a refusal that has only its codes, and {"<json>":
    schema} for content that is JSON. Everything else stays."""
    if isinstance(value, list):
        return [shortened(member) for member in value]
    if not isinstance(value, dict):
        return value
    if list(value) == ["application/problem+json"]:
        schema = value["application/problem+json"].get("schema", {})
        codes = schema.get("properties", {}).get("code", {}).get("enum")
        if value == {"application/problem+json": {"schema": {"allOf": [PROBLEM],
                                                             "properties": {"code": {"enum": codes}}}}}:
            return {"<problem>": codes}
    if list(value) == ["application/json"] and list(value["application/json"]) == ["schema"]:
        return {"<json>": shortened(value["application/json"]["schema"])}
    return {name: shortened(member) for name, member in value.items()}


def expanded(value):
    """The opposite of shortened()."""
    if isinstance(value, list):
        return [expanded(member) for member in value]
    if not isinstance(value, dict):
        return value
    if list(value) == ["<problem>"]:
        schema = {"allOf": [PROBLEM], "properties": {"code": {"enum": value["<problem>"]}}}
        return {"application/problem+json": {"schema": schema}}
    if list(value) == ["<json>"]:
        return {"application/json": {"schema": expanded(value["<json>"])}}
    return {name: expanded(member) for name, member in value.items()}


def prose_of(value, path=()):
    """Pairs of a path and a text."""
    if isinstance(value, dict):
        for name, member in value.items():
            if is_prose((*path, name), member):
                yield (*path, name), member
            else:
                yield from prose_of(member, (*path, name))
    elif isinstance(value, list):
        for i, member in enumerate(value):
            yield from prose_of(member, (*path, member.get("name", str(i)) if isinstance(member, dict) else str(i)))


def grouped_prose(document):
    """Operation or component -> what it says about itself and its fields. If several say the same about a field, it
    is where it is said first."""
    groups, seen = {}, set()
    for path, text in prose_of(document):
        group = " ".join(path[1:3] if path[0] in ("paths", "components") else path[:1])
        of_itself = len(path) <= 4 and "properties" not in path
        name = path[-1] if of_itself else path[-2]
        if re.fullmatch(r"\d{3}", name):
            continue  # of a status; made from its codes, which are structure
        if (name, text) not in seen:
            groups.setdefault(group, {}).setdefault(name, []).append(text)
        seen.add((name, text))
    return {group: {name: texts[0] if len(texts) == 1 else texts for name, texts in fields.items()}
            for group, fields in groups.items()}


def pretty(value, indent=0):
    """JSON in which everything that fits into a line is on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or len(flat) + indent <= WIDTH:
        return flat
    space = " " * (indent + 1)
    if isinstance(value, dict):
        inside = [f"{space}{json.dumps(name, ensure_ascii=False)}: {pretty(member, indent + 1)}" for name,
                  member in value.items()]
    else:
        inside = [space + pretty(member, indent + 1) for member in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n" + ",\n".join(inside) + f"\n{' ' * indent}{closing}"


def sorted_members(value):
    """The same with a fixed order where the order means nothing: members of objects, parameters, required names."""
    if isinstance(value, dict):
        value = {name: sorted_members(value[name]) for name in sorted(value)}
        for name, key in (("parameters", lambda parameter: (parameter["in"], parameter["name"])), ("required", None)):
            if isinstance(value.get(name), list):
                value[name] = sorted(value[name], key=key)
        return value
    return [sorted_members(member) for member in value] if isinstance(value, list) else value


def play_openapi(client):
    """File name -> text."""
    answer = client.get("/openapi.json")
    if answer.status != 200:
        raise AssertionError(answer)
    document = answer.json
    return {STRUCTURE: pretty(shortened(structure_of(document))) + "\n", PROSE: pretty(grouped_prose(document)) + "\n"}
