#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of the fuzzer of recordings: make_recording.py FOLDER NAME."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import found

NONE, INT, BOOL, FLOAT, DTYPE, DEVICE, POINTER, TEXT, BYTES = range(9)
TENSOR, ERROR, OBJECT, SHAPE, OTHER = range(9, 14)
CALL, BACK, END, LEAF, DEAD, TYPE, METHOD, MODULE, CHILD = range(1, 10)


def text(content: bytes, form: int = 1, number: int = 0, tag: int = TEXT) -> bytes:
    return struct.pack("<BBQI", tag, form, number, len(content)) + content


def integer(value: int) -> bytes:
    return struct.pack("<Bq", INT, value)


def thing(number: int, type_index: int = 68, flags: int = 1, tag: int = OBJECT) -> bytes:
    return struct.pack("<BQiI", tag, number, type_index, flags)


def tensor(number: int, shape: list[int], data: bytes, flags: int = 6) -> bytes:
    head = struct.pack("<BQBiiBBHi", TENSOR, number, flags, 1, 0, 2, 32, 1, len(shape))
    size = 4
    for extent in shape:
        size *= extent
    return head + struct.pack(f"<{len(shape)}q", *shape) + struct.pack("<QQQ", 0, size, 5) + data


def error(kind: bytes, message: bytes) -> bytes:
    return struct.pack("<BQII", ERROR, 9, len(kind), len(message)) + kind + message


def number(tag: int, value: int) -> bytes:
    return struct.pack("<BQ", tag, value)


def event(
    serial: int, kind: int, items: bytes = b"", what: int = 0, thread: int = 7, process: int = 0
) -> bytes:
    whole = struct.pack("<IHHIIQ", 24 + len(items), kind, what, process, thread, serial) + items
    return whole + bytes(-len(whole) % 8)


def file(*events: bytes, version: int = 1) -> bytes:
    return b"tvmffirc" + struct.pack("<II", version, 0) + b"".join(events)


CALLED = [
    event(1, CALL, thing(1) + integer(41) + text(b"abc", 2, 5)),
    event(2, BACK, thing(1) + integer(41)),
    event(3, END, integer(0) + integer(42) + bytes([NONE])),
    event(4, END, integer(0) + integer(42) + bytes([NONE])),
]
VALUES = [
    event(1, TYPE, integer(130) + text(b"my.Type")),
    event(2, LEAF, text(b"ffi.Array") + integer(0) + thing(2, 68, 0), 1),
    event(3, LEAF, text(b"\x1b[31m\x00\xff", 3, 0, BYTES), 6),
    event(4, LEAF, tensor(3, [2, 1], bytes(8)) + tensor(0, [0], b"", 7), 16),
    event(5, CALL, thing(3, 130, 0, OBJECT | 128) + number(FLOAT, 1) + number(POINTER, 5)),
    event(6, END, integer(-1) + bytes([NONE]) + error(b"TypeError", b"no")),
    event(7, METHOD, text(b"my.Type") + text(b"f") + thing(4)),
    event(8, MODULE, text(b"f") + integer(0) + number(DEVICE, 2)),
    event(8, BACK, struct.pack("<BBBH", DTYPE, 2, 32, 1)),
    event(9, DEAD, integer(1)),
    event(10, BACK, struct.pack("<BQIqq", SHAPE, 6, 2, 3, 4) + struct.pack("<Bi", OTHER, 7)),
    event(10, END, number(BOOL, 1)),
    event(11, CHILD, integer(0), process=1),
]
SEEDS = {
    "empty": file(),
    "called": file(*CALLED),
    "values": file(*VALUES),
    "threads": file(*CALLED, event(5, CALL, thing(2), thread=8), event(6, END, thread=8)),
    "unordered": file(*reversed(CALLED)),
    "open": file(*CALLED[:2]),
    "cut": file(*VALUES)[:-3],
    "long": file(event(1, LEAF, text(b"x" * 100), 5)),
    "version": file(version=2),
    "other": b"PK\x03\x04",
}


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    for name, data in SEEDS.items():
        (folder / f"{name}.rec").write_bytes(data)
    found.write(folder, sys.argv[2])


if __name__ == "__main__":
    main()
