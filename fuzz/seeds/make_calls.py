#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of a fuzzer whose input is a sequence of calls: make_calls.py FOLDER NAME.

Any bytes are such a sequence: these are drawn by a generator that always begins alike, small
numbers being as frequent as large ones, so that every step occurs. To them come those that fuzzing
found worth keeping, in corpus/NAME.hex, one a line.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import found

SEEDS = 48

# A type with a field that is registered twice, a method, metadata, and an attribute.
TYPE = bytes.fromhex("00000001000204000100020804000100020805000000060008070000")

# An error made and raised in one thread, and again in another, which ends; the first takes it. A
# stream in each, and a third thread that never does anything.
THREADS = bytes.fromhex("000200000800e00101ff01010800e00200ff0001ff01000cff0201ff00010c0400")


def sequence(source: random.Random) -> bytes:
    length = source.choice((8, 24, 64, 200))
    small = source.choice((2, 8, 32, 256))
    return bytes(source.randrange(small) for _ in range(length))


def main() -> None:
    folder, name = Path(sys.argv[1]), sys.argv[2]
    folder.mkdir(parents=True)
    source = random.Random(name)
    (folder / "empty").write_bytes(b"")
    for number in range(SEEDS):
        (folder / f"calls-{number}").write_bytes(sequence(source))
    found.write(folder, name)
    if name == "type_table":
        (folder / "type").write_bytes(TYPE)
    if name == "api_sequence":
        (folder / "threads").write_bytes(THREADS)


if __name__ == "__main__":
    main()
