# SPDX-License-Identifier: Apache-2.0
"""Turns the vectors of the specification into rows of C, as the newest release reads and prints.

Usage: dtype_vectors.py dtype.json OUTPUT
"""

import json
import sys
from pathlib import Path


def quoted(text: str) -> str:
    """The bytes of a text as a C string and its size."""
    data = text.encode()
    return '"' + "".join(f"\\{byte:03o}" for byte in data) + f'", {len(data)}'


def read_row(row: dict) -> str:
    outcome = row["outcomes"][-1]
    if "error" in outcome:
        return f"READ_FAILS({quoted(row['text'])})"
    dtype = "{code}, {bits}, {lanes}".format(**outcome)
    return f"READS({quoted(row['text'])}, {dtype})"


def print_row(row: dict) -> str:
    outcome = row["outcomes"][-1]
    dtype = "{code}, {bits}, {lanes}".format(**row)
    if "error" in outcome:
        return f"PRINT_FAILS({dtype})"
    return f"PRINTS({dtype}, {quoted(outcome['text'])})"


def main() -> None:
    source, output = map(Path, sys.argv[1:])
    vectors = json.loads(source.read_text(encoding="utf-8"))
    rows = [read_row(row) for row in vectors["parse"]]
    rows += [print_row(row) for row in vectors["print"]]
    output.write_text("\n".join(rows) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
