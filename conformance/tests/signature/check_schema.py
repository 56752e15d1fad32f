# SPDX-License-Identifier: Apache-2.0
"""The JSON Schema of signature files takes what the reader takes.

check_schema.py SCHEMA PAGE FILE...

PAGE is conformance/SIGNATURES.md; FILEs are signature files. Every FILE and every `json` block of
the page has to be valid, but for those that the page calls refused: these are counted, since a
schema can't know which names there are. What the schema alone refuses is listed here.
Exit status: 0 all of that is so, 1 not, 77 without the package jsonschema.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

try:
    import jsonschema
except ImportError:
    print("no package jsonschema")
    sys.exit(77)

BLOCK = re.compile(r"^(<!-- refused: [^\n]* -->\n)?```json\n(.*?)^```$", re.DOTALL | re.MULTILINE)
X = '{"parameters": [{"name": "x", "kind": %s}]}'
REFUSED = [
    "[]",
    "{}",
    '{"parameters": [], "argument": []}',
    '{"parameters": [], "signatures": []}',
    '{"parameters": [], "checks": ["all"]}',
    '{"parameters": [], "refuses": [{"kind": "ValueError"}]}',
    '{"parameters": [], "let": {"p": 1}}',
    '{"parameters": [], "let": {"a b": "1"}}',
    '{"parameters": [], "calls": [{"arguments": {}, "refused": true, "expected": {"r": "1"}}]}',
    '{"signatures": [{"parameters": [], "tentative": true}]}',
    X % '"double"',
    X % '"int", "minimum": 1',
    X % '"int", "shape": "n"',
    X % '"int", "value": "1"',
    X % '"float", "values": []',
    X % '"tensor", "dtype": "float32"',
    X % '"tensor", "dtype": "float32", "shape": ["n d"]',
    X % '"tensor", "dtype": "float32", "shape": [-1]',
    X % '"tensor", "layout": "dense"',
    X % '"tensor", "alignment": 3',
    X % '"tensor", "alias": []',
    X % '"array", "value": 1',
    X % '"int", "alias": "y"',
    X % '"array", "length": -1',
    X % '"array", "elements": []',
    X % '"tuple"',
    X % '"variant", "any_of": []',
    X % '"map", "key": {}',
]


def whole(text: str) -> object:
    """A file; a block may be the value of one function."""
    value = json.loads(text)
    return value if "functions" in value else {"functions": {"f": value}}


def main(schema: Path, page: Path, files: list[Path]) -> int:
    validator = jsonschema.Draft202012Validator(json.loads(schema.read_text()))
    validator.check_schema(validator.schema)
    blocks = BLOCK.findall(page.read_text())
    right = [(str(file), whole(file.read_text())) for file in files]
    right += [(text, whole(text)) for refused, text in blocks if not refused]
    wrong = [(text, {"functions": {"f": json.loads(text)}}) for text in REFUSED]
    problems = [
        f"{name}: {error.json_path}: {error.message}"
        for name, value in right
        for error in validator.iter_errors(value)
    ]
    problems += [f"taken: {name}" for name, value in wrong if validator.is_valid(value)]
    print(*problems, sep="\n")
    known = sum(not validator.is_valid(whole(text)) for refused, text in blocks if refused)
    print(
        f"{len(right)} files and blocks; {known} of the page's refused ones are refused here, too"
    )
    return 1 if problems or not right else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), [Path(name) for name in sys.argv[3:]]))
