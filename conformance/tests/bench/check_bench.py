#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the table of `tvmffi-conform bench` against what it has to contain. Speed is no concern.

check_bench.py TOOL REFERENCE HALF: HALF is a library that lacks most functions, fails in one and
crashes in another.
"""

from __future__ import annotations

import functools
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCHEMA = Path(__file__).parents[3] / "reports/bench.schema.json"
TOOL, REFERENCE, HALF = sys.argv[1:4]
MODULE = str(Path(TOOL).parent / "libraries/node_1.so")

TITLES = """
load the library
call a function, no arguments
call a function, 3 arguments
call a function, 8 arguments
call a closure, no arguments
call a closure, 3 arguments
call a closure, 8 arguments
create and release a function
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
raise an error object, and move it
create an error without backtrace, and release
create an error with backtrace, and release
take a backtrace
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
ffi.ArrayContains, 1 of 10 ints
ffi.ArraySize
ffi.List of 3 ints, and release
ffi.ListGetItem
ffi.ListSetItem
ffi.ListAppend
ffi.ListInsert, and ffi.ListPop
ffi.Map of 2 ints to ints, and release
ffi.MapGetItem, 1 of 4 texts
ffi.MapGetItem, 1 of 200 texts
ffi.MapGetItemOrMissing, 1 of 200 texts
ffi.MapForwardIterFunctor, over 200 texts
ffi.MapCount, none of 200 texts
ffi.Dict of 2 ints to ints, and release
ffi.DictGetItem, 1 of 200 texts
ffi.DictSetItem, 1 of 200 texts
ffi.DictErase, and ffi.DictSetItem
ffi.Shape of 4 extents, and release
ffi.String of 64 bytes, and release
ffi.json.Parse, 400 bytes
ffi.json.Stringify, 400 bytes
ffi.ToJSONGraphString, 33 values
ffi.FromJSONGraphString, 33 values
ffi.ToJSONGraph, 33 values
ffi.FromJSONGraph, 33 values
ffi.ReprPrint, 33 values
ffi.DeepCopy, 33 values
ffi.RecursiveEq, 33 values
ffi.RecursiveHash, 33 values
ffi.RecursiveLt, 33 values
ffi.RecursiveLe, 33 values
ffi.RecursiveGt, 33 values
ffi.RecursiveGe, 33 values
ffi.StructuralEqual, 33 values
ffi.StructuralHash, 33 values
ffi.GetFirstStructuralMismatch, 33 values
ffi.StructuralKey, 33 values
ffi.StructuralKeyEqual, 33 values
ffi.StructuralWalk, 33 values
ffi.StructuralWalk, with a callback
ffi.StructuralVisit, with a callback
ffi.StructuralMap, with a callback
ffi.StructuralMutate, with a callback
ffi.StructuralVisit, 33 values
ffi.StructuralMap, 33 values
ffi.StructuralMutate, 33 values
ffi.ContainerFindFirstNonCPUDevice, 33 values
ffi.MakeFieldSetter, and release
read an int field
read an object field, and release
write an int field
write an object field
construct an object of 2 fields, and release
copy an object of 2 fields, and release
ffi.MakeObjectFromPackedArgs, 2 fields
ffi.DeepCopy, 8 objects
ffi.ReprPrint, 8 objects
ffi.RecursiveEq, 8 objects
ffi.RecursiveLt, 8 objects
ffi.RecursiveHash, 8 objects
ffi.StructuralEqual, 8 objects
ffi.StructuralHash, 8 objects
ffi.ToJSONGraphString, 8 objects
ffi.FromJSONGraphString, 8 objects
ffi.VisitErrorContext.FindAccessPaths, 8 objects
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
look up 1 of 1,000, in 2 threads
look up 1 of 500 of its own, in 2 threads
replace 1 of 1,000 functions
look up 1 of 100,000 functions, and release
look up what is not among 100,000
""".strip().splitlines()

IN_TURN = [title for title in TITLES if not title.endswith("in 2 threads")]

SAMPLE = r" +([0-9.]+) +[0-9]+%"
COUNTED = re.compile(r"(.+?) +([0-9.]+) +([0-9.]+) +([0-9.]+)  (A needs fewer|B needs fewer|alike)")
COMPARED = re.compile(rf"(.+?){SAMPLE}{SAMPLE} +([0-9.]+)  (A is faster|B is faster|alike)")
ALONE = re.compile(rf"(.+?){SAMPLE}")


def bench(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [TOOL, "bench", "--rounds=1", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


@functools.cache
def side_by_side() -> tuple[subprocess.CompletedProcess[str], dict]:
    """A library against itself, and the report of that."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bench.json")
        done = bench(REFERENCE, f"--against={REFERENCE}", f"--report=json:{path}")
        return done, json.loads(path.read_text())


def conform_to_schema(report: object) -> None:
    try:
        import jsonschema
    except ImportError:
        print("the report is not held against its schema: there is no jsonschema")
        return
    jsonschema.validate(report, json.loads(SCHEMA.read_text()))


def rows(pattern: re.Pattern[str], text: str) -> dict[str, tuple[str, ...]]:
    """The numbers of every row, by title; a title that comes twice is an error."""
    found = [match for match in map(pattern.fullmatch, text.splitlines()) if match]
    table = {match[1]: match.groups()[1:] for match in found}
    assert len(table) == len(found), text
    return table


class Bench(unittest.TestCase):
    maxDiff = None

    def test_two_libraries_side_by_side(self) -> None:
        done, _ = side_by_side()
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

    def test_bars(self) -> None:
        """Each row has a bar, as long as the logarithm of its ratio, out of the middle."""
        done = bench(REFERENCE, f"--against={REFERENCE}", LC_ALL="C")
        table = rows(COMPARED, done.stdout)
        bars = rows(re.compile(r"(.+?) +(#*\|#*) +([0-9.]+)"), done.stdout)
        self.assertEqual(list(bars), TITLES)
        for title, (bar, ratio) in bars.items():
            with self.subTest(title):
                self.assertEqual(ratio, table[title][2])
                left, right = map(len, bar.split("|"))
                # On a busy machine a thread may have had to wait for all of a round: 0.00.
                wanted = max(-18, min(18, 6 * math.log2(max(float(ratio), 0.005))))
                self.assertLessEqual(abs(right - left - wanted), 0.6)
                self.assertFalse(left and right)

    def test_report_as_json(self) -> None:
        done, report = side_by_side()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        conform_to_schema(report)
        table = rows(COMPARED, done.stdout)
        self.assertTrue(report["complete"])
        self.assertEqual((report["unit"], report["rounds"]), ("ns", 1))
        self.assertEqual([row["title"] for row in report["operations"]], TITLES)
        for row in report["operations"]:
            numbers = [f"{sample['median']:.1f}" for sample in row["samples"]]
            numbers.append(f"{row['ratio']['median']:.2f}")
            self.assertEqual(numbers, list(table[row["title"]][:3]))

    def test_report_of_half_a_run(self) -> None:
        """Also of what was measured before the crash, and it says so. The text makes way for it."""
        done = bench(REFERENCE, f"--against={HALF}", "--report=json:-")
        report = json.loads(done.stdout)
        conform_to_schema(report)
        self.assertFalse(report["complete"])
        self.assertIn("crashed with SIGABRT", report["ended"])
        states = {row["title"]: row["samples"][1]["state"] for row in report["operations"]}
        self.assertEqual(states["retain and release an object"], "not there")
        self.assertEqual(states["string of 7 bytes"], "failed")
        self.assertIn("retain and release an object", done.stderr)

    def test_report_of_an_interrupted_run(self) -> None:
        """Of what was measured until then, whether the worker is interrupted as well or not."""
        for whole_group in (True, False):
            with self.subTest(whole_group=whole_group), tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "bench.json")
                running = subprocess.Popen(
                    [TOOL, "bench", REFERENCE, f"--against={REFERENCE}", f"--report=json:{path}"],
                    stdout=subprocess.PIPE,
                    text=True,
                    start_new_session=True,
                )
                while not (line := running.stdout.readline()).startswith(TITLES[2]):
                    self.assertNotEqual(line, "")
                (os.killpg if whole_group else os.kill)(running.pid, signal.SIGINT)
                text = running.communicate(timeout=60)[0]
                report = json.loads(path.read_text())
                conform_to_schema(report)
                self.assertEqual(running.returncode, 130)
                self.assertIn("interrupted: the measurements so far", text)
                self.assertFalse(report["complete"])
                self.assertIn("interrupted", report["ended"])
                titles = [row["title"] for row in report["operations"]]
                self.assertEqual(titles, TITLES[: len(titles)])
                self.assertIn(f"Of {len(titles)} operations", text)
                self.assertTrue(3 <= len(titles) < len(TITLES), titles)

    @unittest.skipUnless(shutil.which("valgrind"), "there is no valgrind")
    def test_instructions(self) -> None:
        """The same file needs as many instructions as itself, whatever else the machine does."""
        done = bench(REFERENCE, f"--against={REFERENCE}", "--callgrind")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        table = rows(COUNTED, done.stdout)
        self.assertEqual(list(table), [title for title in IN_TURN if title != "load the library"])
        for title, (first, second, _, verdict) in table.items():
            with self.subTest(title):
                self.assertGreater(float(first), 5)
                self.assertEqual(verdict, "alike", (first, second))
        self.assertRegex(done.stdout, r"in 2 threads +not counted +not counted")

    def test_no_valgrind_is_told_of(self) -> None:
        done = bench(REFERENCE, "--callgrind", PATH="/nowhere")
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertIn("--callgrind: cannot start valgrind", done.stderr)

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

    def test_what_is_no_runtime_is_not_loaded(self) -> None:
        for arguments in ([MODULE], [REFERENCE, f"--against={MODULE}"]):
            with self.subTest(arguments):
                done = bench(*arguments)
                self.assertEqual((done.returncode, done.stdout), (3, ""))
                self.assertIn("is not a runtime: it does not export the C API", done.stderr)

    def test_mistakes(self) -> None:
        for code, arguments in (
            (2, []),
            (2, [REFERENCE, REFERENCE]),
            (2, [REFERENCE, "--rounds=0"]),
            (2, [REFERENCE, "--rounds=1002"]),
            (2, [REFERENCE, "--report=junit:bench.xml"]),
            (2, [REFERENCE, "--report=json:no/such/folder/bench.json"]),
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
