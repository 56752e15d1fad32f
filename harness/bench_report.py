#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the reference beside an official runtime, and writes bench.json and bench.md of it.

bench_report.py TOOL REFERENCE OFFICIAL FOLDER: OFFICIAL lies in the cache, in a folder that is
called as its version. The exit status is 1 if the reference is slower in some row; both files are
written all the same.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

HEAD = """\
# The reference beside the official runtime

`{command}` on {date}:
a Release build and the Linux x86-64 wheel, on a machine of {processors} processors, with a load of
{load:.1f} before it began. `make bench-report` does so again. [The same as JSON](bench.json).
Ratios of one run can be compared, times of different machines can't.
"""

THREADS = """\
**Two threads.** Nanoseconds of the reference and, in brackets, of the official runtime:

| | in one thread | in each of two |
|---|---|---|
{rows}

Where both threads look up the same functions, each look-up counts a reference in an object that the
other processor has just written to. Where each has names of its own, they have nothing in common
but the table in which they are found.
"""

# What was aimed for: the words, the aim, and of which rows the ratios are meant.
AIMS = (
    ("look-up of a function, by its name", "2x", ("look up * 1*0 functions, and release",)),
    ("look-up of a name that there is not", "2x", ("look up what is not among *",)),
    ("look-up of a type", "2x", ("index of a type by its key",)),
    ("data types as text", "2x", ("data type to `*x4`*", "data type to `[!b]*`, and release")),
    ("`bool` as text, on the heap by DTYPE-20", "1.0x", ("data type to `bool`, and release",)),
    (
        "raise an error (the official runtime takes a backtrace)",
        "2x",
        ("raise an error, move it, and release",),
    ),
)

# The same in one thread and in two.
PAIRS = (
    ("index of a type by its key", "index of a type by its key, in 2 threads"),
    ("look up 1 of 1,000 functions, and release", "look up 1 of 1,000, in 2 threads"),
    ("look up 1 of 1,000 functions, and release", "look up 1 of 500 of its own, in 2 threads"),
    ("retain and release an object", "retain and release an object, in 2 threads"),
)

LOADING = "load the library"


def times(ratio: float) -> str:
    return f"{ratio:.0f}x" if ratio >= 9.95 else f"{ratio:.1f}x"


def aim_rows(report: dict) -> Iterator[tuple[str, str, str]]:
    rows = {row["title"]: row for row in report["operations"]}
    faster = [row["ratio"]["faster"] for row in rows.values()]
    slower = faster.count("B") or "none"
    seen = f"{faster.count('A')} faster, {faster.count('alike')} alike, {slower} slower"
    yield "every row", "1.0x", seen
    for what, aim, patterns in AIMS:
        titles = [title for title in rows if any(fnmatchcase(title, p) for p in patterns)]
        ratios = sorted(rows[title]["ratio"]["median"] for title in titles)
        ends = dict.fromkeys((times(ratios[0]), times(ratios[-1])))
        yield what, aim, " to ".join(ends)
    milliseconds = rows[LOADING]["samples"][0]["median"] / 1e6
    yield LOADING, "under 0.3 ms", f"{milliseconds:.2f} ms"


def thread_rows(report: dict) -> Iterator[tuple[str, str, str]]:
    rows = {row["title"]: row for row in report["operations"]}

    def both(title: str) -> str:
        reference, official = (sample["median"] for sample in rows[title]["samples"])
        return f"{reference:.1f} ({official:.1f})"

    for one, two in PAIRS:
        if two in rows:
            yield two.removesuffix(", in 2 threads"), both(one), both(two)


def table(rows: Iterator[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def summary(report: dict) -> str:
    """What the page says of the report before the table of all rows."""
    slower = [row["title"] for row in report["operations"] if row["ratio"]["faster"] == "B"]
    said = f"in {len(slower)}: {'; '.join(slower)}" if slower else "in no row"
    return (
        f"The reference is slower {said}. What was aimed for:\n\n"
        f"| | aim | seen |\n|---|---|---|\n{table(aim_rows(report))}\n\n"
        f"{THREADS.format(rows=table(thread_rows(report)))}"
    )


def measure(tool: Path, libraries: dict[str, Path], rounds: int) -> tuple[str, str]:
    """The page and the JSON report of a run, in which the libraries have the names given."""
    facts = {
        "date": datetime.date.today(),
        "processors": os.cpu_count(),
        "load": os.getloadavg()[0],
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, library in libraries.items():
            Path(folder, name).symlink_to(library.resolve())
        first, second = libraries
        words = ["bench", first, "--against", second, "--rounds", str(rounds)]
        words += ["--report", "json:bench.json"]
        done = subprocess.run(
            [str(tool.resolve()), *words],
            cwd=folder,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        report = Path(folder, "bench.json").read_text(encoding="utf-8")
    command = " ".join(["tvmffi-conform", *words])
    intro = HEAD.format(command=command, **facts)
    return f"{intro}\n{summary(json.loads(report))}\n```\n{done.stdout}```\n", report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("tool", type=Path, help="tvmffi-conform")
    parser.add_argument("reference", type=Path, help="libtvm_ffi.so, a Release build")
    parser.add_argument("official", type=Path, help="VERSION/tvm_ffi/lib/libtvm_ffi.so")
    parser.add_argument("folder", type=Path, help="where bench.json and bench.md are written")
    parser.add_argument("--rounds", type=int, default=31, metavar="N")
    options = parser.parse_args()
    version = options.official.absolute().parents[2].name
    libraries = {"reference.so": options.reference, f"official-{version}.so": options.official}
    if (load := os.getloadavg()[0]) > 1:
        print(
            f"bench_report: the load is {load:.1f}: what two threads take is measured where both "
            "processors are free",
            file=sys.stderr,
        )
    page, report = measure(options.tool, libraries, options.rounds)
    (options.folder / "bench.json").write_text(report, encoding="utf-8")
    (options.folder / "bench.md").write_text(page, encoding="utf-8")
    print(summary(json.loads(report)))
    return any(row["ratio"]["faster"] == "B" for row in json.loads(report)["operations"])


if __name__ == "__main__":
    sys.exit(main())
