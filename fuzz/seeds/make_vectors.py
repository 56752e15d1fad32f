#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of a fuzzer from the specification's vectors: make_vectors.py FOLDER NAME."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import found

VECTORS = Path(__file__).resolve().parents[2] / "spec" / "vectors"

Seeds = Iterator[tuple[str, bytes]]


def read(name: str) -> dict:
    return json.loads((VECTORS / f"{name}.json").read_text())


def payloads() -> Seeds:
    for row in read("library_bin")["payloads"]:
        yield row["id"], bytes.fromhex(row["bytes"])


def data_types() -> Seeds:
    """A text behind a 0; code, bits and lanes behind a 1."""
    for number, row in enumerate(read("dtype")["parse"]):
        yield f"text-{number}", b"\0" + row["text"].encode()
    for code in range(20):
        yield f"code-{code}", bytes([1, code, 8, 4, 0])
    yield "custom", b"\0custom[mine]16x4"
    yield "custom-scalable", b"\0custom[mine]xvscalex4"


def views() -> Seeds:
    """Type index, one byte of padding, and the payload or text, as fuzz_any.c reads them."""
    vectors = read("any")
    for row in vectors["clean"] + vectors["dirty"]:
        content = bytes.fromhex(row["bytes"])
        meaning = row.get("meaning", {})
        text = bytes.fromhex(meaning.get("text_hex") or meaning.get("content_hex") or "")
        index = min(row["type_index"], 79)
        is_text = index in (8, 9)
        payload = bytes([len(text)]) + text if is_text else content[8:]
        yield row["id"], bytes([index, content[4]]) + payload + b"\0\0"


MAKERS = {
    "any": views,
    "dtype": data_types,
    "library_bin": payloads,
    "library_load": payloads,
}


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    for name, content in MAKERS[sys.argv[2]]():
        (folder / name).write_bytes(content)
    found.write(folder, sys.argv[2])


if __name__ == "__main__":
    main()
