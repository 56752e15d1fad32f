#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `fuzz` and `run` notice of the flaws of a loader: check_loaders.py TOOL LIBRARY FLAWS.

LIBRARY is loader.cpp or third_loader.c; it takes its flaw from the name of its file, so each is a
link of its own. FLAWS lists them, with the clauses of which one has to be named. `fuzz` has
--seconds for each and ends as soon as it named one of these; without a flaw nothing may be found.
Exit status: 0 as many as --fuzz and --run say are noticed and there is no false finding, 1 not so.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

POLL = 0.05
FIRST = re.compile(r"^FOUND .* ([A-Z]+-[0-9]+)$", re.M)
QUICK = (
    "error-of-freed-text",
    "library-closed-early",
    "modules-released-twice",
    "payload-is-static",
    "refusal-is-remembered",
    "value-borrowed",
    "value-lost-on-failure",
)


@dataclass
class Flaw:
    name: str
    fuzz: list[str]
    run: list[str]


@dataclass
class Noticed:
    """What one verb said of one flaw."""

    right: bool = False
    seconds: float = 0.0
    named: list[str] = field(default_factory=list)  # the clauses, or findings with theirs
    odd: str = ""

    def cell(self) -> str:
        mark = "yes" if self.right else "wrong" if self.named else "no"
        return f"{mark:<6}{self.seconds:>6.1f} s {len(self.named):>3}"


def flaws_in(path: Path) -> list[Flaw]:
    rows = [line.split() for line in path.read_text().splitlines() if line[:1].isalpha()]
    return [
        Flaw(name, fuzz.split(","), (fuzz if run == "-" else run).split(","))
        for name, fuzz, run in rows
    ]


def findings(folder: Path) -> dict[str, str]:
    """The clause of each finding that is written to its end."""
    found = {}
    for path in sorted(folder.glob("*/finding.json")):
        try:
            found[path.parent.name] = json.loads(path.read_text())["clause"]
        except (ValueError, KeyError):
            continue
    return found


def fuzz(options: argparse.Namespace, library: Path, clauses: list[str], whole: bool) -> Noticed:
    """Ends early once one of the clauses was named, unless `whole`."""
    seen = Noticed()
    with tempfile.TemporaryDirectory() as folder:
        command = [options.tool, "fuzz", f"-j{options.slots}", f"--time={options.seconds}s"]
        command += [f"--seed={options.seed}", "-o", f"{folder}/found", str(library)]
        start = time.monotonic()
        with (
            open(f"{folder}/said", "w+", encoding="utf-8") as said,
            subprocess.Popen(command, stdout=said, stderr=said) as process,
        ):
            while process.poll() is None:
                time.sleep(POLL)
                found = findings(Path(folder, "found"))
                if any(clause in clauses for clause in found.values()):
                    seen.seconds = seen.seconds or time.monotonic() - start
                    if not whole:
                        process.send_signal(signal.SIGINT)
                        process.wait()
            said.seek(0)
            text = said.read()
        found = findings(Path(folder, "found"))
    seen.seconds = seen.seconds or time.monotonic() - start
    seen.named = [f"{name} {clause}" for name, clause in found.items()]
    seen.right = any(clause in clauses for clause in found.values())
    first = FIRST.search(text)
    if options.first and not (first and first[1] in clauses):
        seen.right = False
    if process.returncode not in (0, 1, 130):
        seen.odd = f"exit code {process.returncode}: {text[-300:]}"
    elif not found and process.returncode == 1:
        seen.odd = text[-300:]
    return seen


def run(options: argparse.Namespace, library: Path, clauses: list[str]) -> Noticed:
    start = time.monotonic()
    command = [options.tool, "run", "-q", f"-j{options.slots}"]
    command += [f"--filter={pattern}" for pattern in options.filter]
    with tempfile.TemporaryDirectory() as folder:
        command += [f"--report=json:{folder}/report.json", str(library)]
        subprocess.run(command, capture_output=True, check=False)
        report = json.loads(Path(folder, "report.json").read_text())
    seen = Noticed(seconds=time.monotonic() - start)
    for case in report["cases"]:
        if case["verdict"] in ("fail", "crash", "timeout"):
            seen.named += [c for c in case["clauses"] if c not in seen.named]
    seen.right = any(fnmatch.fnmatch(name, c) for name in seen.named for c in clauses)
    return seen


def measure(
    options: argparse.Namespace, flaw: Flaw, library: Path
) -> tuple[Flaw, Noticed, Noticed]:
    by_run = run(options, library, flaw.run) if options.run is not None else Noticed()
    by_fuzz = Noticed()
    if options.fuzz is not None:
        by_fuzz = fuzz(options, library, flaw.fuzz, options.whole)
    return flaw, by_fuzz, by_run


def false_findings(options: argparse.Namespace) -> Iterator[str]:
    """What is said of the loader that has no flaw; its name is that of none."""
    options.seconds = options.sound or 1
    by_fuzz, by_run = fuzz(options, options.library, [], True), run(options, options.library, [])
    yield from [*by_fuzz.named, by_fuzz.odd] if by_fuzz.named or by_fuzz.odd else []
    yield from by_run.named


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("tool", help="tvmffi-conform")
    parser.add_argument("library", type=Path, help="the loader as a library")
    parser.add_argument("flaws", type=Path, help="flaws.txt or third_flaws.txt")
    parser.add_argument("names", nargs="*", help="these flaws only")
    parser.add_argument("--fuzz", type=int, help="so many have to be noticed by fuzz")
    parser.add_argument("--run", type=int, help="so many have to be noticed by run")
    parser.add_argument("--seconds", type=int, default=30, help="of fuzz, for each")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--slots", type=int, default=1, help="of each process")
    parser.add_argument("--jobs", type=int, default=2, help="flaws at a time")
    parser.add_argument("--whole", action="store_true", help="use all of the time")
    parser.add_argument("--first", action="store_true", help="the first finding has to be right")
    parser.add_argument("--filter", action="append", default=[], help="cases of run")
    parser.add_argument("--sound", type=int, help="seconds of fuzz without a flaw")
    parser.add_argument("--quick", action="store_true", help="what the tests do")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.quick:
        options.names, options.filter = list(QUICK), ["library-bin.*", "module.*"]
        options.fuzz = options.run = len(QUICK)
    flaws = [
        flaw for flaw in flaws_in(options.flaws) if not options.names or flaw.name in options.names
    ]
    noticed = {"fuzz": 0, "run": 0}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        for flaw in flaws:
            os.link(options.library, f"{folder}/{flaw.name}.so")
        results = pool.map(lambda f: measure(options, f, Path(folder, f"{f.name}.so")), flaws)
        for flaw, by_fuzz, by_run in results:
            noticed["fuzz"] += by_fuzz.right
            noticed["run"] += by_run.right
            print(f"{flaw.name:<36}fuzz {by_fuzz.cell()}   run {by_run.cell()}", flush=True)
            if options.verbose or not by_fuzz.right:
                print("    fuzz:", ", ".join(by_fuzz.named), by_fuzz.odd)
            if options.verbose or not by_run.right:
                print("    run: ", ", ".join(by_run.named))
    print(f"of {len(flaws)}: {noticed['fuzz']} by fuzz, {noticed['run']} by run")
    faults = list(false_findings(options)) if options.quick or options.sound else []
    print("".join(f"without a flaw: {fault}\n" for fault in faults), end="")
    enough = noticed["fuzz"] >= (options.fuzz or 0) and noticed["run"] >= (options.run or 0)
    return 0 if enough and not faults else 1


if __name__ == "__main__":
    sys.exit(main())
