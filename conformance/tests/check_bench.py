#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the table of `tvmffi-conform bench` against what it has to contain. Speed is no concern.

check_bench.py TOOL REFERENCE HALF: HALF is a library that lacks most functions, fails in one and
crashes in another.
"""

from __future__ import annotations

import re
import subprocess
import sys
import unittest

TOOL, REFERENCE, HALF = sys.argv[1:4]

TITLES = """
call a function, no arguments
call a function, 3 arguments
call a function, 8 arguments
call a closure, no arguments
call a closure, 3 arguments
call a closure, 8 arguments
create and release a closure
retain and release an object
string of 7 bytes
string of 8 bytes, and release
string of 64 bytes, and release
string of 4096 bytes, and release
bytes, 7
bytes, 8, and release
bytes, 64, and release
bytes, 4096, and release
own an int
own a raw string of 7 bytes
own a raw string of 64 bytes, and release
own an object, and release
raise an error, move it, and release
create and release an error
once-initialisation of a filled slot
retain and release an object, in 2 threads
index of a type by its key
index of a type by its key, in 2 threads
index of a type that is not there
index of a registered type, or a new one
information on a type by its index
column of an attribute by its name
data type from `int32`
data type from `float16x4`
data type from `float8_e4m3fn`
data type from `bool`
data type from `custom[posit]16`
data type to `int32`, and release
data type to `float16x4`, and release
data type to `float8_e4m3fn`, and release
data type to `bool`, and release
data type to `custom[posit]16`, and release
import a tensor, and release
import a tensor without strides, and release
import a versioned tensor, and release
import a versioned one without strides
export a tensor, and delete
export a versioned tensor, and delete
view of a tensor, and release
allocate a tensor, and release
set a stream, and set back
get a stream
get a stream that was not set
ffi.Array of 3 ints, and release
ffi.ArrayGetItem
ffi.ArraySize
ffi.List of 3 ints, and release
ffi.ListGetItem
ffi.ListSetItem
ffi.ListAppend
ffi.Map of 2 ints to ints, and release
ffi.MapGetItem, 1 of 4 texts
ffi.MapGetItem, 1 of 200 texts
ffi.MapCount, none of 200 texts
ffi.DictGetItem, 1 of 200 texts
ffi.DictSetItem, 1 of 200 texts
ffi.Shape of 4 extents, and release
ffi.String of 64 bytes, and release
load a module, and release
load a payload of 4 modules, and release
load a payload of 100,000 modules, and release
read such a payload with the reference's reader
look up a function of a module, and release
look up what a module does not have
look up a function of a module, and call it
look up 1 of 10 functions, and release
look up what is not among 10
look up 1 of 1,000 functions, and release
look up what is not among 1,000
replace 1 of 1,000 functions
look up 1 of 1,000, in 2 threads
look up 1 of 100,000 functions, and release
look up what is not among 100,000
""".strip().splitlines()

SAMPLE = r" +([0-9.]+) +[0-9]+%"
COMPARED = re.compile(rf"(.+?){SAMPLE}{SAMPLE} +([0-9.]+)  (A is faster|B is faster|alike)")
ALONE = re.compile(rf"(.+?){SAMPLE}")


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [TOOL, "bench", "--rounds=1", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def rows(pattern: re.Pattern[str], text: str) -> dict[str, tuple[str, ...]]:
    """The numbers of every row, by title; a title that comes twice is an error."""
    found = [match for match in map(pattern.fullmatch, text.splitlines()) if match]
    table = {match[1]: match.groups()[1:] for match in found}
    assert len(table) == len(found), text
    return table


class Bench(unittest.TestCase):
    maxDiff = None

    def test_two_libraries_side_by_side(self) -> None:
        done = bench(REFERENCE, f"--against={REFERENCE}")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        table = rows(COMPARED, done.stdout)
        self.assertEqual(list(table), TITLES)
        for title, (first, second, ratio, _) in table.items():
            with self.subTest(title):
                self.assertGreater(float(first), 0)
                self.assertGreater(float(second), 0)
                # With a single round the ratio is that of the numbers shown, but for rounding.
                low = (float(second) - 0.05) / (float(first) + 0.05) - 0.005
                high = (float(second) + 0.05) / max(float(first) - 0.05, 0.001) + 0.005
                self.assertTrue(low <= float(ratio) <= high, (first, second, ratio))
        self.assertIn(f"Of {len(TITLES)} operations", done.stdout)
        self.assertNotIn("\033", done.stdout)

    def test_one_library_alone(self) -> None:
        done = bench(REFERENCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        table = rows(ALONE, done.stdout)
        self.assertEqual(list(table), TITLES)
        self.assertTrue(all(float(number) > 0 for (number,) in table.values()))

    def test_colour_if_asked_for(self) -> None:
        done = bench(REFERENCE, f"--against={REFERENCE}", "--color=always")
        self.assertIn("\033[", done.stdout)

    def test_what_is_not_there_fails_or_crashes_is_said(self) -> None:
        done = bench(REFERENCE, f"--against={HALF}")
        lines = done.stdout.splitlines()
        half = {title: line for title in TITLES for line in lines if line.startswith(title)}
        self.assertRegex(half["retain and release an object"], r"[0-9]% +not there$")
        self.assertRegex(half["string of 7 bytes"], r"[0-9]% +a call failed$")
        self.assertNotIn("once-initialisation of a filled slot", half)
        self.assertIn("once-initialisation of a filled slot: crashed with SIGABRT", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_mistakes(self) -> None:
        for code, arguments in (
            (2, []),
            (2, [REFERENCE, REFERENCE]),
            (2, [REFERENCE, "--rounds=0"]),
            (2, [REFERENCE, "--rounds=1002"]),
            (3, ["no/such/file.so"]),
            (3, [REFERENCE, "--against=no/such/file.so"]),
            (3, [__file__]),
        ):
            with self.subTest(arguments):
                done = bench(*arguments)
                self.assertEqual((done.returncode, done.stdout), (code, ""))
                self.assertNotEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
