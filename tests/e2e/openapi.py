"""The document at /openapi.json, and whether an answer agrees with it."""
import re

from harness import TIME

KINDS = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict, "array": list,
         "null": type(None)}


class Document:
    def __init__(self, client):
        self.raw = client.get("/openapi.json").json
        self._paths = [(re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)) + "$"), path, methods)
                       for path, methods in self.raw["paths"].items()]

    def operation(self, method, path):
        """The operation of the document for this request."""
        path = path.split("?")[0]
        found = [methods for pattern, template, methods in self._paths
                 if template == path or pattern.match(path)]
        exact = self.raw["paths"].get(path)
        return (exact or found[0])[method.lower()]

    def body_schema(self, method, path):
        return self.operation(method, path)["requestBody"]["content"]["application/json"]["schema"]

    def resolve(self, schema):
        if "$ref" in schema:
            return self.raw["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        return schema

    def faults_of(self, method, path, answer):
        """How the answer differs from the document: required members must be there, optional ones may be there, and
        no others."""
        responses = self.operation(method, path)["responses"]
        if str(answer.status) not in responses:
            return [f"the status {answer.status} is not documented"]
        content = responses[str(answer.status)]["content"]
        media = answer.headers["Content-Type"]
        if media not in content:
            return [f"the media type {media} is not documented"]
        return self._faults(content[media]["schema"], answer.json, "answer")

    def _faults(self, schema, value, at, also=()):
        """`also` has the names of the members that another part of the schema describes."""
        schema = self.resolve(schema)
        if "oneOf" in schema:
            tried = [self._faults(one, value, at) for one in schema["oneOf"]]
            return [] if [] in tried else [f"{at} is none of those documented: {tried}"]
        parts = schema.get("allOf", [])
        faults = [fault for part in parts
                  for fault in self._faults(part, value, at, also=schema.get("properties", ()))]
        kind = KINDS.get(schema.get("type"), object)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind not in (bool, object)):
            return [*faults, f"{at} is {value!r}, not of type {schema['type']}"]
        if "enum" in schema and value not in schema["enum"]:
            faults.append(f"{at} is {value!r}, not one of {schema['enum']}")
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value) if kind is int else False:
            faults.append(f"{at} is {value}, out of range")
        if isinstance(value, str):
            faults += self._faults_of_text(schema, value, at)
        if isinstance(value, list) and "items" in schema:
            for i, item in enumerate(value):
                faults += self._faults(schema["items"], item, f"{at}[{i}]")
        if isinstance(value, dict) and isinstance(schema.get("additionalProperties"), dict):
            for name, member in value.items():
                faults += self._faults(schema["additionalProperties"], member, f"{at}.{name}")
        if isinstance(value, dict) and "properties" in schema:
            faults += [f"{at} lacks {name}" for name in schema.get("required", []) if name not in value]
            for name, member in value.items():
                if name in schema["properties"]:
                    faults += self._faults(schema["properties"][name], member, f"{at}.{name}")
                elif name not in also and not any(name in self.resolve(part)["properties"] for part in parts):
                    faults.append(f"{at}.{name} is not documented")
        return faults

    @staticmethod
    def _faults_of_text(schema, value, at):
        faults = []
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            faults.append(f"{at} has {len(value)} characters")
        if "pattern" in schema and not re.search(schema["pattern"], value):
            faults.append(f"{at} is {value!r}, not {schema['pattern']}")
        if schema.get("format") == "date-time" and not TIME.fullmatch(value):
            faults.append(f"{at} is {value!r}, not a time")
        return faults
