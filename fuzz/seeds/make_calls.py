#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of a fuzzer whose input is a sequence of calls: make_calls.py FOLDER NAME.

Any bytes are such a sequence: these are drawn by a generator that always begins alike, small
numbers being as frequent as large ones, so that every step occurs.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

SEEDS = 48


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


if __name__ == "__main__":
    main()
