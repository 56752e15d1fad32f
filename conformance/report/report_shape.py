# SPDX-License-Identifier: Apache-2.0
"""Turns reports/report.schema.json into the tables of report_shape.c: report_shape.py SCHEMA OUT

The names of the tables follow the members' paths. A keyword that the C side does not check is an
error here, so that the two cannot drift apart.
"""

import json
import re
import sys

# What says nothing about a value, or (allOf) is checked in report_read.c, by what goes together.
ANNOTATIONS = {"$schema", "$id", "$defs", "description", "title", "format", "allOf"}
KEYWORDS = {
    "string": {"pattern", "minLength"},
    "integer": {"minimum"},
    "boolean": set(),
    "array": {"items", "minItems", "maxItems", "uniqueItems"},
    "object": {"properties", "required", "additionalProperties"},
    "word": set(),
    "code": set(),
}


def fail(path: str, problem: str) -> None:
    sys.exit(f"report_shape.py: {path}: {problem}")


def quoted(text: str) -> str:
    """A string literal of C."""
    return re.sub(r"\\u00(..)", lambda found: f"\\{int(found[1], 16):03o}", json.dumps(text))


class Tables:
    """The C text so far, and the schemas that already have a name in it."""

    def __init__(self, schema: dict) -> None:
        self.definitions = schema["$defs"]
        self.lines: list[str] = []
        self.named: set[str] = set()
        self.patterns: list[str] = []

    def shape(self, schema: dict, name: str, nullable: bool = False) -> str:
        """Writes the table of a schema, and returns its name."""
        if "$ref" in schema:
            target = schema["$ref"].rsplit("/", 1)[1]
            suffix = "_or_null" if nullable else ""
            return self.shape(self.definitions[target], f"def_{target}{suffix}", nullable)
        if "oneOf" in schema:
            others = [one for one in schema["oneOf"] if one != {"type": "null"}]
            if len(others) != 1 or len(schema["oneOf"]) != 2:
                fail(name, "oneOf is supported for a schema or null only")
            return self.shape(others[0], name, True)
        if name not in self.named:
            self.named.add(name)
            self.write(schema, name, nullable)
        return f"shape_{name}"

    def write(self, schema: dict, name: str, nullable: bool) -> None:
        kind, null, words = kind_of(schema, name)
        unknown = schema.keys() - ANNOTATIONS - KEYWORDS[kind] - {"type", "enum", "const"}
        if unknown:
            fail(name, f"keyword not supported: {', '.join(sorted(unknown))}")
        fields = [f".kind = SHAPE_{kind.upper()}"]
        if nullable or null:
            fields.append(".nullable = true")
        title = schema.get("title") if kind == "string" else None
        fields.append(f".expected = {quoted(title or expected(kind, schema, words))}")
        fields += getattr(self, kind)(schema, name, words)
        self.lines.append(f"static const Shape shape_{name} = {{{', '.join(fields)}}};")

    def string(self, schema: dict, name: str, _: list) -> list[str]:
        fields = []
        if schema.get("minLength", 0) > 1:
            fail(name, "minLength above 1 is not supported")
        if "minLength" in schema:
            fields.append(".least = 1")
        if "pattern" in schema:
            pattern = schema["pattern"]
            # What Python and POSIX do not both read alike.
            if re.search(r"\\[^.*]|\(\?|[*+?}]\?", pattern):
                fail(name, f"pattern is not a POSIX extended regular expression: {pattern}")
            if pattern not in self.patterns:
                self.patterns.append(pattern)
            fields.append(f".pattern = {self.patterns.index(pattern) + 1}")
        return fields

    def integer(self, schema: dict, name: str, _: list) -> list[str]:
        return [f".least = {schema['minimum']}"]

    def boolean(self, schema: dict, name: str, _: list) -> list[str]:
        return []

    def word(self, schema: dict, name: str, words: list) -> list[str]:
        listed = ", ".join(quoted(str(word)) for word in words)
        return [f".words = (const char *const[]){{{listed}, NULL}}"]

    code = word

    def array(self, schema: dict, name: str, _: list) -> list[str]:
        fields = [f".item = &{self.shape(schema['items'], f'{name}_item')}"]
        for keyword, field in (("minItems", "least"), ("maxItems", "most")):
            if keyword in schema:
                fields.append(f".{field} = {schema[keyword]}")
        if schema.get("uniqueItems"):
            fields.append(".unique = true")
        return fields

    def object(self, schema: dict, name: str, _: list) -> list[str]:
        if schema.get("additionalProperties") is not False:
            fail(name, "additionalProperties must be false")
        rows = []
        for key, held in schema["properties"].items():
            shape = self.shape(held, key if name == "report" else f"{name}_{key}")
            required = "true" if key in schema["required"] else "false"
            rows.append(f"    {{{quoted(key)}, &{shape}, {required}}},\n")
        table = f"members_of_{name}"
        self.lines.append(
            f"static const ShapeMember {table}[] = {{\n{''.join(rows)}    {{NULL, NULL, false}}}};"
        )
        return [f".members = {table}"]


def kind_of(schema: dict, name: str) -> tuple[str, bool, list]:
    """The kind of a value, whether it may be null, and what it is one of."""
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        words = [value for value in values if value is not None]
        if not all(isinstance(word, type(words[0])) for word in words):
            fail(name, "enum of mixed types is not supported")
        return "code" if isinstance(words[0], int) else "word", None in values, words
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    kinds = [one for one in types if one != "null"]
    if len(kinds) != 1 or kinds[0] not in KEYWORDS:
        fail(name, f"type not supported: {schema['type']}")
    return kinds[0], "null" in types, []


def expected(kind: str, schema: dict, words: list) -> str:
    """What a message says a value must be."""
    if words:
        shown = " ".join(map(str, words))
        return f"one of: {shown}" if len(words) > 1 else shown
    if kind == "integer":
        return f"an integer, {schema['minimum']} or more"
    return {
        "string": "a non-empty string" if schema.get("minLength") else "a string",
        "boolean": "true or false",
        "array": "a list",
        "object": "an object",
    }[kind]


def main(source: str, target: str) -> None:
    with open(source, encoding="utf-8") as file:
        schema = json.load(file)
    tables = Tables(schema)
    tables.shape(schema, "report")
    patterns = "".join(f"    {quoted(pattern)},\n" for pattern in tables.patterns)
    text = "\n".join(
        [
            "// Generated by report_shape.py from reports/report.schema.json.",
            f"static const char *const patterns[] = {{\n{patterns}}};",
            *tables.lines,
            "",
        ]
    )
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
