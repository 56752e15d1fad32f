#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of the fuzzer of .npy files: make_npy.py FOLDER NAME."""

from __future__ import annotations

import sys
from pathlib import Path

import found


def file(header: str, elements: bytes, version: int = 1) -> bytes:
    text = header.encode() + b"\n"
    size = len(text).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + size + text + elements


def header(descr: str, shape: str, order: bool = False) -> str:
    return f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}"


SEEDS = {
    "float": file(header("<f4", "(2, 3)"), bytes(range(24))),
    "columns": file(header(">u2", "(3, 2)", True), bytes(range(12)), 2),
    "number": file(header("<i8", "()"), b"\x01" * 8, 3),
    "truth": file(header("|b1", "(1,)"), b"\x01"),
    "axes": file(header("<V2", "(1, 4)"), bytes(8)),
    "none": file(header("<f8", "(0, 5)"), b""),
    "cut": file(header("<f8", "(2, 5)"), b"1234"),
    "large": file(header("<f8", "(99999999, 9)"), b""),
    "objects": file(header("|O", "(1,)"), b"12345678"),
    "records": file("{'descr': [('a', '<f4')], 'shape': (1,)}", b"1234"),
    "other": b"PK\x03\x04",
}


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True)
    for name, data in SEEDS.items():
        (folder / f"{name}.npy").write_bytes(data)
    found.write(folder, sys.argv[2])


if __name__ == "__main__":
    main()
