#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the reference and an official runtime in several runs, and writes bench.md.

bench_report.py TOOL REFERENCE OFFICIAL FOLDER: OFFICIAL lies in the cache, in a folder that is
called as its version. The reports of the runs are written to FOLDER/bench. The exit status is 1 if
the reference is slower in some row in most of the runs; everything is written all the same.

One run is not enough: where code and data come to lie in memory differs from process to process,
and makes a difference to what takes a few nanoseconds that no number of rounds evens out.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from statistics import median

import bench_trace

HEAD = """\
# Benchmark: the reference and the official runtime

`{command}`,
{runs} runs on {date}: a Release build and the Linux x86-64 wheel, {processors} processors, initial
load {load:.1f}. `make bench-report` repeats the measurement. The runs [as JSON](bench). Compare
ratios within a run; do not compare times of different machines.
"""

THREADS = """\
**Two threads.** Nanoseconds of the reference and, in brackets, of the official runtime:

| | in one thread | in each of two |
|---|---|---|
{rows}

If both threads look up the same functions, each look-up changes a reference count that the other
processor has just written. If each thread looks up names of its own, they share only the table.
"""

RUNS = """\
**Variation between runs.** The addresses of code and data differ in each process, which changes the
times of operations of a few nanoseconds. The numbers above are medians of the runs; a row is faster
or slower if it is so in most of them. {what}
"""

TRACE = """\
**A call under `tvmffi-conform trace`.** Nanoseconds without the layer, and what each preset adds
(target: at most 50 with `standard`):

| | without | {presets} |
|---|---|{rule}
{rows}

What the layer counts and keeps of the first 16 threads is their own, so it takes no lock in their
calls.
"""

# Targets: the words, the aim, and of which rows the ratios are meant.
AIMS = (
    ("look-up of a function, by its name", "2x", ("look up * 1*0 functions, and release",)),
    ("look-up of an unknown name", "2x", ("look up what is not among *",)),
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


def combined(reports: Sequence[dict]) -> dict:
    """One report for some runs of the same: medians, and what most of them find faster."""
    rows = []
    for operations in zip(*(report["operations"] for report in reports), strict=True):
        title = operations[0]["title"]
        if any(row["title"] != title for row in operations):
            raise ValueError(f"the runs do not measure the same: {title}")
        samples = [
            {"median": median(sample["median"] for sample in samples)}
            for samples in zip(*(row["samples"] for row in operations), strict=True)
        ]
        found = [row["ratio"]["faster"] for row in operations]
        most = [one for one in ("A", "B") if found.count(one) * 2 > len(found)]
        ratio = {
            "median": median(row["ratio"]["median"] for row in operations),
            "faster": most[0] if most else "alike",
        }
        rows.append({"title": title, "samples": samples, "ratio": ratio})
    return {"operations": rows}


def differing_rows(reports: Sequence[dict]) -> Iterator[tuple[str, ...]]:
    """What not every run finds the same of: in how many it is what, the ratios' ends."""
    for operations in zip(*(report["operations"] for report in reports), strict=True):
        found = [row["ratio"]["faster"] for row in operations]
        if len(set(found)) == 1:
            continue
        ratios = [row["ratio"]["median"] for row in operations]
        counts = (str(found.count(one) or "") for one in ("A", "alike", "B"))
        yield operations[0]["title"], *counts, f"{min(ratios):.2f} to {max(ratios):.2f}"


def said_of_runs(reports: Sequence[dict]) -> str:
    rows = table(differing_rows(reports))
    if not rows:
        return RUNS.format(what="All runs agree on every row.")
    head = "| | faster | alike | slower | ratio |\n|---|---|---|---|---|"
    return RUNS.format(what=f"Rows on which they differ:\n\n{head}\n{rows}")


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


def said_of_trace(least: dict[str, dict[str, float]]) -> str:
    """What bench_trace.measure found, by way of running, then by row."""
    presets = [way for way in least if way != "bare"]
    rows = (
        (name, f"{bare:.1f}", *(f"{least[way][name] - bare:+.1f}" for way in presets))
        for name, bare in least["bare"].items()
    )
    head = " | ".join(f"`{preset}`" for preset in presets)
    return TRACE.format(presets=head, rule="---|" * len(presets), rows=table(rows))


def table(rows: Iterator[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def slower_rows(report: dict) -> list[str]:
    return [row["title"] for row in report["operations"] if row["ratio"]["faster"] == "B"]


def summary(reports: Sequence[dict]) -> str:
    """What the page says of the runs before the table of the first one."""
    report = combined(reports)
    slower = slower_rows(report)
    said = f"in {len(slower)}: {'; '.join(slower)}" if slower else "in no row"
    return (
        f"The reference is slower {said}. Targets:\n\n"
        f"| | target | measured |\n|---|---|---|\n{table(aim_rows(report))}\n\n"
        f"{said_of_runs(reports)}\n"
        f"{THREADS.format(rows=table(thread_rows(report)))}"
    )


def run(words: Sequence[str], folder: Path) -> tuple[str, str]:
    """What a run prints, and its JSON report."""
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout, (folder / "bench.json").read_text(encoding="utf-8")


def measure(
    tool: Path, libraries: dict[str, Path], rounds: int, runs: int, traced: Path | None = None
) -> tuple[str, list[str]]:
    """The page and the JSON reports of the runs, in which the libraries have the names given."""
    facts = {
        "date": datetime.date.today(),
        "processors": os.cpu_count(),
        "load": os.getloadavg()[0],
        "runs": runs,
    }
    first, second = libraries
    words = ["bench", first, "--against", second, "--rounds", str(rounds)]
    words += ["--report", "json:bench.json"]
    printed, reports = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, library in libraries.items():
            Path(folder, name).symlink_to(library.resolve())
        for number in range(runs):
            print(f"bench_report: run {number + 1} of {runs}", file=sys.stderr)
            text, report = run([str(tool.resolve()), *words], Path(folder))
            printed.append(text)
            reports.append(report)
    intro = HEAD.format(command=" ".join(["tvmffi-conform", *words]), **facts)
    told = summary([json.loads(report) for report in reports])
    if traced:
        reference = next(iter(libraries.values()))
        least = bench_trace.measure(*(str(path.resolve()) for path in (tool, traced, reference)))
        told += f"\n{said_of_trace(least)}"
    page = f"{intro}\n{told}\nThe first run:\n\n```\n{printed[0]}```\n"
    return page, reports


def write(folder: Path, page: str, reports: Sequence[str]) -> None:
    kept = folder / "bench"
    kept.mkdir(exist_ok=True)
    for old in kept.glob("*.json"):
        old.unlink()
    for number, report in enumerate(reports, 1):
        (kept / f"{number}.json").write_text(report, encoding="utf-8")
    (folder / "bench.md").write_text(page, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("tool", type=Path, help="tvmffi-conform")
    parser.add_argument("reference", type=Path, help="libtvm_ffi.so, a Release build")
    parser.add_argument("official", type=Path, help="VERSION/tvm_ffi/lib/libtvm_ffi.so")
    parser.add_argument("folder", type=Path, help="the folder for bench.md and bench/*.json")
    parser.add_argument("--traced", type=Path, metavar="PROGRAM", help="trace_cost")
    parser.add_argument("--rounds", type=int, default=31, metavar="N")
    parser.add_argument("--runs", type=int, default=9, metavar="N")
    options = parser.parse_args()
    version = options.official.absolute().parents[2].name
    libraries = {"reference.so": options.reference, f"official-{version}.so": options.official}
    if (load := os.getloadavg()[0]) > 1:
        print(
            f"bench_report: the load is {load:.1f} (measure two threads while both processors are "
            "idle)",
            file=sys.stderr,
        )
    page, reports = measure(options.tool, libraries, options.rounds, options.runs, options.traced)
    write(options.folder, page, reports)
    runs = [json.loads(report) for report in reports]
    print(summary(runs))
    return bool(slower_rows(combined(runs)))


if __name__ == "__main__":
    sys.exit(main())
